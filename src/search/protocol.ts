import type { DashboardFigures, FiguresQuery } from '#domain/dashboard/figures.ts';
import type { Sender } from '#domain/rules/sender.ts';
import type { RoomKey } from '#domain/rooms.ts';
import type { Producer } from '#domain/schemas/producer.ts';
import type { User } from '#domain/schemas/session.ts';
import type { Team } from '#domain/schemas/team.ts';
import type { FoundText } from '#domain/text/found-text.ts';
import type { SearchQuery } from '#domain/text/search-query.ts';
import type { Timetoken } from '#domain/timetoken.ts';

/** All possible authors, and the clients of all rooms. */
export interface Directory {
  readonly user: User;
  readonly teams: readonly Team[];
  /** Undefined until this device has fetched it once. */
  readonly staff: readonly Producer[] | undefined;
}

/** The message before or after a hit. */
export interface Neighbour {
  readonly sender: string;
  readonly text: string;
}

/** A message that was found. */
export interface SearchHit {
  readonly key: string;
  readonly room: RoomKey;
  /** The client's full name. */
  readonly client: string;
  readonly at: Timetoken;
  readonly sender: Sender;
  readonly excerpt: FoundText;
  readonly before: Neighbour | undefined;
  readonly after: Neighbour | undefined;
}

/** The messages that were searched. */
export interface SearchCoverage {
  readonly messages: number;
  /** The oldest message; undefined without any. */
  readonly since: Timetoken | undefined;
  /** False while more messages are being read. */
  readonly isWhole: boolean;
}

export interface SearchAnswer {
  /** The subscriber of the search; searches of one subscriber replace each other. */
  readonly subscriberId: string;
  readonly id: number;
  /** Newest first. */
  readonly hits: readonly SearchHit[];
  readonly total: number;
  readonly coverage: SearchCoverage;
}

/** The figures of the dashboard, once all messages were read. */
export interface FiguresAnswer {
  readonly subscriberId: string;
  readonly id: number;
  readonly figures: DashboardFigures;
}

/** From the page to the worker. */
export type SearchRequest =
  | { readonly kind: 'open'; readonly name: string }
  | { readonly kind: 'directory'; readonly directory: Directory }
  | { readonly kind: 'changed'; readonly keys: 'all' | readonly string[] }
  | { readonly kind: 'left'; readonly subscriberId: string }
  | {
      readonly kind: 'search';
      readonly subscriberId: string;
      readonly id: number;
      readonly query: SearchQuery;
      /** The most hits to return. */
      readonly limit: number;
    }
  | {
      readonly kind: 'count';
      readonly subscriberId: string;
      readonly id: number;
      /** Each answer counts as of its own time. */
      readonly query: Omit<FiguresQuery, 'now'>;
    };

/** From the worker to the page. */
export type SearchResponse =
  | ({ readonly kind: 'answer' } & SearchAnswer)
  | ({ readonly kind: 'counted' } & FiguresAnswer)
  | { readonly kind: 'failed'; readonly detail: string };
