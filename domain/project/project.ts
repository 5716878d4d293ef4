import type { Envelope } from '../envelope.ts';
import { projectActivity } from './activity.ts';
import type { Change, ProjectionReads } from './change.ts';
import { coverPage, isSameCoverage, toEmptyCoverage } from './coverage.ts';
import {
  projectAttempted,
  projectDiscarded,
  projectFailed,
  projectPublished,
  projectQueued,
  projectRetried,
} from './outbox.ts';
import { foldReceived } from './received.ts';

const NOTHING: readonly Change[] = [];

const projectRoom = (envelope: Envelope, reads: ProjectionReads): readonly Change[] => {
  const { fact, seq } = envelope;
  switch (fact.type) {
    case 'v1.MessageQueued':
      return projectQueued(fact, seq, reads);
    case 'v1.PublishAttempted':
      return projectAttempted(fact, reads);
    case 'v1.MessagePublished':
      return projectPublished(fact, reads);
    case 'v1.PublishFailed':
      return projectFailed(fact, reads);
    case 'v1.MessageRetried':
      return projectRetried(fact, reads);
    case 'v1.MessageDiscarded':
      return projectDiscarded(fact, reads);
    case 'v1.MessageReceived':
    case 'v1.UnreadableReceived':
      return foldReceived(fact, reads);
    case 'v1.HistoryPageLoaded': {
      const known = reads.findCoverage(fact.room) ?? toEmptyCoverage(fact.room);
      const coverage = coverPage(known, fact);
      return isSameCoverage(known, coverage) ? NOTHING : [{ kind: 'coverage.put', coverage }];
    }
    case 'v1.RoomRead':
    case 'v1.ReadingBegan':
      return NOTHING;
    default:
      return fact satisfies never;
  }
};

/**
 * The changes that one fact makes to the tables of the screens. Pure; facts of the room's log
 * (received, published, page loaded) may arrive in any order and repeatedly.
 */
export const project = (envelope: Envelope, reads: ProjectionReads): readonly Change[] => [
  ...projectRoom(envelope, reads),
  ...projectActivity(envelope.fact, reads),
];
