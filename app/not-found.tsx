import { redirect } from "next/navigation";
import { NotFoundScreen } from "@/components/errors/not-found-screen";
import { publicPageContext } from "@/lib/api/page";

/** Redirects unknown paths to login, as specified. Signed-in users see a page instead, because login would redirect back. */
export default async function NotFound() {
  const { actor } = await publicPageContext();
  if (!actor) redirect("/login");
  return (
    <main className="grid min-h-dvh place-items-center">
      <NotFoundScreen />
    </main>
  );
}
