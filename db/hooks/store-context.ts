import { createContext, createElement, type ReactNode, useContext } from 'react';

import type { UserStore } from '#db/user/user-store.ts';

const StoreContext = createContext<UserStore | undefined>(undefined);

/** Provides the signed-in user's store to the screens; undefined while there is none. */
export const StoreProvider = (props: {
  readonly store: UserStore | undefined;
  readonly children?: ReactNode;
}) => createElement(StoreContext, { value: props.store }, props.children);

/** The signed-in user's store, or undefined while no one is signed in or it is opening. */
export const useStore = (): UserStore | undefined => useContext(StoreContext);
