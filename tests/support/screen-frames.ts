/** Between two frames of a common screen, ms. */
const FRAME_MS = 1000 / 60;

/**
 * Frames come at the rate of a screen. By default happy-dom has one as soon as no other code runs:
 * code that checks a size at every frame would keep a processor busy.
 */
Object.assign(globalThis, {
  requestAnimationFrame: (callback: FrameRequestCallback) =>
    setTimeout(() => callback(performance.now()), FRAME_MS),
  cancelAnimationFrame: (id: ReturnType<typeof setTimeout>) => clearTimeout(id),
});
