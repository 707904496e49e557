import { redirect } from "next/navigation";
import { homePath } from "@/lib/domain/panels";
import { pageContext } from "@/lib/http/page";

/** Redirects to the home page of the user's role, or to login. */
export default async function Root() {
  const { actor } = await pageContext();
  redirect(homePath(actor.role));
}
