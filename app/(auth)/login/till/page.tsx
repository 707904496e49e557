import { AuthPage } from "@/components/layout/auth-page";
import { TillDoor } from "@/components/tills/sign-in/till-door";
import { pageTitle, type SearchParams } from "@/lib/api/page";
import { safePath } from "@/lib/domain/paths";

export const generateMetadata = pageTitle("atTill.title");

/** The page that pairs a browser with a till, and that signs in the cashiers of the till. */
export default async function TillDoorPage({ searchParams }: { searchParams: SearchParams }) {
  return (
    <AuthPage wide>
      <TillDoor from={safePath((await searchParams).from)} />
    </AuthPage>
  );
}
