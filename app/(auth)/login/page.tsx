import { cookies } from "next/headers";
import Link from "next/link";
import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { signInAction } from "@/app/_session/actions";
import { LoginForm } from "@/components/accounts/sign-in/login-form";
import { AuthPage } from "@/components/layout/auth-page";
import { TILL_COOKIE } from "@/components/tills/device/mark";
import { pageTitle } from "@/lib/api/page";
import { safePath } from "@/lib/domain/paths";

export const generateMetadata = pageTitle("auth.loginTitle");

type Query = { from?: string; returnUrl?: string; ended?: string; denied?: string; password?: string };

export default async function LoginPage({ searchParams }: { searchParams: Promise<Query> }) {
  const t = await getTranslations("auth");
  const help = await getTranslations("help");
  const { from, returnUrl, ended, denied, password } = await searchParams;
  const target = safePath(returnUrl) ?? safePath(from) ?? undefined;
  // A till opens on the faces of its employees.
  if (!password && (await cookies()).has(TILL_COOKIE)) {
    redirect(`/login/till${target ? `?from=${encodeURIComponent(target)}` : ""}`);
  }
  const topUp = safePath(returnUrl)?.startsWith("/topup") ? t("loginForTopup") : undefined;
  const why = ended ? t("ended") : denied ? (await getTranslations("errors"))("forbidden") : undefined;
  return (
    <AuthPage
      title={t("loginTitle")}
      intro={t("loginIntro")}
      footer={
        <div className="grid gap-1">
          <p>
            {t("noAccount")} <FooterLink href="/signup">{t("signup")}</FooterLink>
          </p>
          <p>
            {t("customer")} <FooterLink href="/customer/loyalty-card">{t("findCard")}</FooterLink>
          </p>
          <p>
            <FooterLink href="/help">{help("title")}</FooterLink>
            {" · "}
            <FooterLink href="/login/till">{t("till")}</FooterLink>
          </p>
        </div>
      }
    >
      <LoginForm action={signInAction} from={target} notice={topUp ?? why} />
    </AuthPage>
  );
}

function FooterLink({ href, children }: { href: string; children: string }) {
  return (
    <Link href={href} prefetch={false}>
      {children}
    </Link>
  );
}
