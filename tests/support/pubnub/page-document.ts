/**
 * The part of a document that the SDK's web build uses: the frame it takes its fetch from.
 * Everything else of the build runs here as in a page.
 */
export const installPageDocument = (): void => {
  if ('document' in globalThis) return;
  const frames: object[] = [];
  Object.assign(globalThis, {
    document: {
      body: { append: (frame: object) => frames.push(frame) },
      createElement: () => ({ contentWindow: {} }),
      querySelector: () => frames[0] ?? null,
    },
  });
};
