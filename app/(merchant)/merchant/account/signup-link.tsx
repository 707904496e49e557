import { SignupLinkCard } from "@/components/merchants/signup-link-card";
import { pageContext } from "@/lib/http/page";
import { signupUrl } from "@/lib/http/wire/media";

/** The sign-up link of an approved merchant. Empty before the approval, since the link does not work yet. */
export async function SignupLink() {
  const { actor } = await pageContext("merchant.profile");
  if (actor.merchantId === null || actor.merchantStatus !== "approved") return null;
  return <SignupLinkCard url={signupUrl(actor.merchantId)} posterHref="/merchant/account/poster" />;
}
