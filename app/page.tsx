import { redirect } from "next/navigation";
import { pageContext } from "@/lib/api/page";
import { homePath } from "@/lib/domain/panels";

/** Redirects to the home page of the user's role, or to login. */
export default async function Root() {
  const { actor } = await pageContext();
  redirect(homePath(actor.role));
}
