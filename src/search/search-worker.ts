import { readMessages, type ScannedMessage, scanMessages } from '#db/read/scan-messages.ts';

import { MessageIndex } from './message-index.ts';
import type { SearchRequest, SearchResponse } from './protocol.ts';

/**
 * The worker that searches and counts a user's messages: it reads them once, keeps them in memory
 * and follows changes. The page ends it after a while, and when the user signs out.
 */

/** Messages read before a first answer, and time between answers while more are read, ms. */
const FIRST_MESSAGES = 2000;
const ANSWER_EVERY_MS = 250;

const index = new MessageIndex();
let name = '';
let isWhole = false;
type Question = Extract<SearchRequest, { readonly kind: 'search' | 'count' }>;
/** The last question of each subscriber. */
const questions = new Map<string, Question>();
/** The changes since the messages were read. */
let due: { all: boolean; readonly keys: Set<string> } = { all: false, keys: new Set() };
let isReading = false;

const respond = (message: SearchResponse): void => globalThis.postMessage(message);

const answer = (question: Question): void => {
  const { subscriberId, id } = question;
  if (question.kind === 'count') {
    // The figures of a part of the messages would be wrong.
    if (!isWhole) return;
    const figures = index.count({ ...question.query, now: Date.now() });
    respond({ kind: 'counted', subscriberId, id, figures });
  } else {
    const found = index.search(question.query, question.limit);
    respond({ kind: 'answer', subscriberId, id, ...found, coverage: index.coverage(isWhole) });
  }
};

const answerAll = (): void => {
  for (const question of questions.values()) answer(question);
};

/** The first read answers from what it has so far; a later one, until it is complete, from before. */
const readAll = async (): Promise<void> => {
  const rooms: (readonly ScannedMessage[])[] = [];
  let answered = performance.now();
  let read = 0;
  await scanMessages(name, (messages) => {
    if (isWhole) {
      rooms.push(messages);
      return;
    }
    index.put(messages);
    read += messages.length;
    const isLate = performance.now() - answered > ANSWER_EVERY_MS;
    const isFirst = read >= FIRST_MESSAGES && read - messages.length < FIRST_MESSAGES;
    if (!isFirst && !isLate) return;
    answerAll();
    answered = performance.now();
  });
  if (isWhole) index.remove();
  for (const messages of rooms) index.put(messages);
  isWhole = true;
};

const readChanged = async (keys: readonly string[]): Promise<void> => {
  const stored = await readMessages(name, keys);
  index.remove(keys);
  index.put(stored);
};

/** Reads what is due, one read at a time. */
const readDue = async (): Promise<void> => {
  if (isReading) return;
  isReading = true;
  try {
    while (due.all || due.keys.size > 0) {
      const { all, keys } = due;
      due = { all: false, keys: new Set() };
      await (all ? readAll() : readChanged([...keys]));
      answerAll();
    }
  } catch (error) {
    respond({ kind: 'failed', detail: String(error) });
  } finally {
    isReading = false;
  }
};

const handle = (request: SearchRequest): void => {
  switch (request.kind) {
    case 'open':
      ({ name } = request);
      due.all = true;
      break;
    case 'directory':
      index.setDirectory(request.directory);
      answerAll();
      break;
    case 'changed':
      if (request.keys === 'all') due.all = true;
      else for (const key of request.keys) due.keys.add(key);
      break;
    case 'search':
    case 'count':
      questions.set(request.subscriberId, request);
      answer(request);
      break;
    case 'left':
      questions.delete(request.subscriberId);
      break;
    default:
      request satisfies never;
  }
  void readDue();
};

// Only the page that started the worker can post to it.
globalThis.addEventListener('message', ({ data }: MessageEvent<SearchRequest>) => handle(data));
