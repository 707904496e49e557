import { redirect } from "next/navigation";
import { NotFoundScreen } from "@/components/errors/message-screen";
import { publicPageContext } from "@/lib/http/page";

/** The specification sends unknown paths to login; whoever is signed in reads it here, since login would lead back. */
export default async function NotFound() {
  const { actor } = await publicPageContext();
  if (!actor) redirect("/login");
  return (
    <main className="grid min-h-dvh place-items-center">
      <NotFoundScreen />
    </main>
  );
}
