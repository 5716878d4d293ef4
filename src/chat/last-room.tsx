import { Navigate } from 'react-router';

import { useVisited } from '#db/hooks/use-visited.ts';
import { toRoomPath } from '#domain/routes.ts';
import { findLastRoom } from '#domain/rules/places.ts';

/**
 * Opens the room of a client that was open last on this device, at first Team, in the place of
 * the client's own address: the way back leads past it.
 */
export const LastRoom = ({ clientId }: { readonly clientId: string }) => {
  const visited = useVisited();
  return visited && <Navigate to={toRoomPath(findLastRoom(clientId, visited))} replace />;
};
