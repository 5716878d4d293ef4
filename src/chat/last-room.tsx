import { useVisited } from '#db/hooks/use-visited.ts';
import { toRoomPath } from '#domain/routes.ts';
import { findLastRoom } from '#domain/rules/room-navigation.ts';
import { Redirect } from '#src/ui/address.tsx';

/**
 * Opens the client's room that was opened last on this device, else Team. It replaces the client's
 * own address, so that going back skips it.
 */
export const LastRoom = ({ clientId }: { readonly clientId: string }) => {
  const visited = useVisited();
  return visited && <Redirect to={toRoomPath(findLastRoom(clientId, visited))} />;
};
