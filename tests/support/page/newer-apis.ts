/**
 * Platform features that at least one of the oldest supported browsers lacks, with the first
 * version that has them (`undefined`: none yet). Sources: MDN browser-compat-data for web
 * interfaces, core-js-compat 3.51 for the language.
 */
export interface NewerApi {
  /** Its path from the global object; `@@name` is a well-known symbol. */
  readonly path: string;
  readonly chrome: number | undefined;
  readonly firefox: number | undefined;
  readonly safari: number | undefined;
}

type Row = readonly [
  path: string,
  chrome: number | undefined,
  firefox: number | undefined,
  safari: number | undefined,
];

const SET_METHODS = [
  'union',
  'intersection',
  'difference',
  'symmetricDifference',
  'isSubsetOf',
  'isSupersetOf',
  'isDisjointFrom',
].map((name): Row => [`Set.prototype.${name}`, 122, 127, 17]);

const ITERATOR_METHODS = [
  'drop',
  'every',
  'filter',
  'find',
  'flatMap',
  'forEach',
  'map',
  'reduce',
  'some',
  'take',
  'toArray',
].map((name): Row => [`Iterator.prototype.${name}`, 122, 131, 18.4]);

const ROWS: readonly Row[] = [
  ['URL.parse', 126, 126, 18],
  ['URLPattern', 95, 142, 26],
  ['Promise.try', 128, 134, 18.2],
  ['RegExp.escape', 136, 134, 18.2],
  ['Error.isError', 134, 138, undefined],
  ['Math.sumPrecise', 147, 137, 26.2],
  ['Map.prototype.getOrInsert', 145, 144, 26.2],
  ['Map.prototype.getOrInsertComputed', 145, 144, 26.2],
  ['WeakMap.prototype.getOrInsert', 145, 144, 26.2],
  ['WeakMap.prototype.getOrInsertComputed', 145, 144, 26.2],
  ['Uint8Array.fromBase64', 140, 133, 18.2],
  ['Uint8Array.fromHex', 140, 133, 18.2],
  ['Uint8Array.prototype.toBase64', 140, 133, 18.2],
  ['Uint8Array.prototype.toHex', 140, 133, 18.2],
  ['Float16Array', 135, 129, 18.2],
  ['DisposableStack', 134, 141, undefined],
  ['AsyncDisposableStack', 134, 141, undefined],
  ['JSON.rawJSON', 114, 135, 18.4],
  ['Intl.DurationFormat', 129, 136, 16.4],
  ['Temporal', 144, 139, undefined],
  ['Iterator.from', 122, 131, 18.4],
  ['ReadableStream.prototype.@@asyncIterator', 124, 110, 26.4],
  ['ReadableStream.from', undefined, 117, undefined],
  ['Blob.prototype.bytes', undefined, 128, 18],
  ['Request.prototype.bytes', 132, 128, 18],
  ['Response.prototype.bytes', 132, 128, 18],
  ['HTMLElement.prototype.showPopover', 114, 125, 17],
  ['HTMLDialogElement.prototype.requestClose', 134, 139, 18.4],
  ['Element.prototype.moveBefore', 133, 144, undefined],
  ['Element.prototype.ariaNotify', 141, undefined, undefined],
  ['Document.prototype.startViewTransition', 111, 144, 18],
  ['CloseWatcher', 126, undefined, undefined],
  ['Highlight', 105, 140, 17.2],
  ['scheduler', 94, 142, undefined],
  ['requestIdleCallback', 47, 55, undefined],
  ['cancelIdleCallback', 47, 55, undefined],
  ['navigation', 102, 147, 26.2],
  ['cookieStore', 87, 140, 18.4],
  ...SET_METHODS,
  ...ITERATOR_METHODS,
];

export const NEWER_APIS: readonly NewerApi[] = ROWS.map(([path, chrome, firefox, safari]) => ({
  path,
  chrome,
  firefox,
  safari,
}));

/** Runs in a page, before its own code: removes these features of the platform. */
export const removeApis = (paths: readonly string[]): void => {
  for (const path of paths) {
    const steps = path
      .split('.')
      .map((step) =>
        step.startsWith('@@') ? (Reflect.get(Symbol, step.slice(2)) as symbol) : step,
      );
    const last = steps.pop();
    let owner: unknown = globalThis;
    for (const step of steps) owner = Object(owner)[step];
    if (last !== undefined) Reflect.deleteProperty(Object(owner), last);
  }
};
