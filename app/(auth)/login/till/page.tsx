import { AuthPage } from "@/components/layout/auth-page";
import { TillDoor } from "@/components/tills/sign-in/till-door";
import { safePath } from "@/lib/domain/paths";
import { pageTitle } from "@/lib/i18n/page-title";

export const generateMetadata = pageTitle("atTill.title");

/** The page that pairs a browser with a till, and that signs in the cashiers of the till. */
export default async function TillDoorPage({
  searchParams,
}: {
  searchParams: Promise<{ from?: string | string[] }>;
}) {
  return (
    <AuthPage wide>
      <TillDoor from={safePath((await searchParams).from)} />
    </AuthPage>
  );
}
