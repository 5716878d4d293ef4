import { LoginPage } from '#src/auth/login-page.tsx';
import { RegisterPage } from '#src/auth/register-page.tsx';
import { withMantine } from '#src/ui/mantine/with-mantine.tsx';

/** The signed-out half of the page, loaded on its own. */
const AuthPages = ({ page }: { readonly page: 'login' | 'register' }) =>
  page === 'login' ? <LoginPage /> : <RegisterPage />;

export default withMantine(AuthPages);
