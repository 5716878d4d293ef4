import { useState } from 'react';

/** The last value while `isSteady`; meanwhile the first one that was known. */
export const useSteady = <T>(value: T | undefined, isSteady: boolean): T | undefined => {
  const [steady, setSteady] = useState(value);
  if (value !== steady && (isSteady || steady === undefined)) setSteady(value);
  return steady;
};
