import { redirect } from "next/navigation";
import { homePath } from "@/lib/domain/panels";
import { pageContext } from "@/lib/http/page";

/** The root leads on: by role to its home, anyone else to login. */
export default async function Root() {
  const { actor } = await pageContext();
  redirect(homePath(actor.role));
}
