import { Navigate } from 'react-router';

import { useVisited } from '#db/hooks/use-visited.ts';
import { toRoomPath } from '#domain/routes.ts';
import { findLastRoom } from '#domain/rules/places.ts';

/**
 * Opens the client's room that was opened last on this device, else Team. It replaces the client's
 * own address, so that going back skips it.
 */
export const LastRoom = ({ clientId }: { readonly clientId: string }) => {
  const visited = useVisited();
  return visited && <Navigate to={toRoomPath(findLastRoom(clientId, visited))} replace />;
};
