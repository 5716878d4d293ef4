import type { User } from '#domain/schemas/session.ts';
import { useSession } from '#src/actors/actors.ts';
import { InitialsAvatar } from '#src/ui/initials-avatar.tsx';

export const toShownName = (user: User | undefined): string =>
  user?.name ?? user?.email ?? user?.uid ?? '';

/** The signed-in person's initials. */
export const UserAvatar = ({ size }: { readonly size: number }) => {
  const { user } = useSession();
  return (
    <InitialsAvatar name={toShownName(user)} seed={user?.uid ?? ''} shape="square" size={size} />
  );
};
