import { glob, readFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path/posix';

/** The imports of each file: file → the repository's files it imports, including type imports. */
export type ImportGraph = ReadonlyMap<string, ReadonlySet<string>>;

const SOURCES = '{domain,db,machines,src,server}/**/*.{ts,tsx,css}';
const IMPORT = /(?:\bfrom\s*|\bimport\s*\(\s*|\bimport\s+)(['"])([.#][^'"]+)\1/g;
const LAZY_IMPORT = /\bimport\s*\(\s*(['"])([.#][^'"]+)\1/g;

/** The file of an import specifier in `file`; packages are not our files. */
const resolveImport = (file: string, specifier: string): string =>
  specifier.startsWith('#') ? specifier.slice(1) : normalize(join(dirname(file), specifier));

/** Every import in a source text, as paths from the root of the repository. */
export const listImports = (file: string, text: string): readonly string[] =>
  [...text.matchAll(IMPORT)].map(([, , specifier = '']) => resolveImport(file, specifier));

/** The files that a source text loads by `import()`, each as a separate chunk. */
export const listLazyImports = (file: string, text: string): readonly string[] =>
  [...text.matchAll(LAZY_IMPORT)].map(([, , specifier = '']) => resolveImport(file, specifier));

/** The part of the program a file belongs to; relative imports stay within it. */
export const toPart = (file: string): string => {
  const [top = '', folder = ''] = file.split('/');
  const isOwnPart = top === 'src' || (top === 'db' && folder === 'hooks');
  return isOwnPart ? `${top}/${folder}` : top;
};

/** Relative imports that leave the part of their file, as `file → target`. */
export const findEscapes = (file: string, text: string): readonly string[] =>
  [...text.matchAll(IMPORT)]
    .filter(([, , specifier = '']) => specifier.startsWith('.'))
    .map(([, , specifier = '']) => resolveImport(file, specifier))
    .filter((target) => toPart(target) !== toPart(file))
    .map((target) => `${file} → ${target}`);

/** Number of code files in each folder, without those in its subfolders. */
const countFiles = (files: Iterable<string>): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const file of files) {
    if (/\.tsx?$/.test(file)) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  }
  return counts;
};

/** Folders with more than `most` code files, as `folder: count`. */
export const findCrowded = (files: Iterable<string>, most: number): readonly string[] =>
  [...countFiles(files)]
    .filter(([, count]) => count > most)
    .map(([folder, count]) => `${folder}: ${count}`);

/** The texts of all production files, styles included, by path. */
export const readSources = async (): Promise<ReadonlyMap<string, string>> => {
  const sources = new Map<string, string>();
  for await (const file of glob(SOURCES)) sources.set(file, await readFile(file, 'utf8'));
  return sources;
};

export const toImportGraph = (sources: ReadonlyMap<string, string>): ImportGraph =>
  new Map(
    [...sources].map(([file, text]) => [
      file,
      new Set(listImports(file, text).filter((target) => sources.has(target))),
    ]),
  );

/** The same graph between the folders of the files; a folder does not import itself. */
export const toFolderGraph = (files: ImportGraph): ImportGraph => {
  const folders = new Map<string, Set<string>>();
  for (const [file, targets] of files) {
    const from = folders.get(dirname(file)) ?? new Set();
    folders.set(dirname(file), from);
    for (const target of targets) if (dirname(target) !== dirname(file)) from.add(dirname(target));
  }
  return folders;
};

/** Every node reachable from `start`, without `start` unless it is part of a cycle. */
const reach = (graph: ImportGraph, start: string): ReadonlySet<string> => {
  const seen = new Set<string>();
  const open = [...(graph.get(start) ?? [])];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (seen.has(node)) continue;
    seen.add(node);
    open.push(...(graph.get(node) ?? []));
  }
  return seen;
};

/** Cycles of imports, each sorted and listed once. */
export const findRings = (graph: ImportGraph): readonly (readonly string[])[] => {
  const reachable = new Map([...graph.keys()].map((node) => [node, reach(graph, node)]));
  const rings = new Map<string, readonly string[]>();
  for (const [node, others] of reachable) {
    if (!others.has(node)) continue;
    const ring = [...others].filter((other) => reachable.get(other)?.has(node)).toSorted();
    rings.set(ring.join(' '), ring);
  }
  return [...rings.values()];
};
