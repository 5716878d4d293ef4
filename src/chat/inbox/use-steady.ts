import { useState } from 'react';

/** The latest value while `isSteady`; otherwise the last steady value, or the first known one. */
export const useSteady = <T>(value: T | undefined, isSteady: boolean): T | undefined => {
  const [steady, setSteady] = useState(value);
  if (value !== steady && (isSteady || steady === undefined)) setSteady(value);
  return steady;
};
