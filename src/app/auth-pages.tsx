import { LoginPage } from '#src/auth/login-page.tsx';
import { RegisterPage } from '#src/auth/register-page.tsx';

/** The signed-out half of the page, loaded on its own. */
const AuthPages = ({ page }: { readonly page: 'login' | 'register' }) =>
  page === 'login' ? <LoginPage /> : <RegisterPage />;

export default AuthPages;
