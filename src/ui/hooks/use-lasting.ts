import { useEffect, useState } from 'react';

/** Whether something has lasted for this long, ms. */
export const useLasting = (isActive: boolean, ms: number): boolean => {
  const [isLasting, setLasting] = useState(false);
  useEffect(() => {
    if (!isActive) return undefined;
    const timer = setTimeout(() => setLasting(true), ms);
    return () => {
      clearTimeout(timer);
      setLasting(false);
    };
  }, [isActive, ms]);
  return isLasting;
};
