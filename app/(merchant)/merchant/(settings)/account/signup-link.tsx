import { SignupLinkCard } from "@/components/merchants/signup-link-card";
import { profile } from "@/lib/accounts/profile";
import { pageContext } from "@/lib/api/page";
import { signupUrl } from "@/lib/files/media-url";
import { viewBusiness } from "@/lib/merchants/business";

/** The sign-up link of an approved merchant. Empty before the approval, since the link does not work yet. */
export async function SignupLink() {
  const { merchant } = await profile(await pageContext(viewBusiness), {});
  if (merchant?.status !== "approved") return null;
  return <SignupLinkCard url={signupUrl(merchant.publicId)} posterHref="/merchant/account/poster" />;
}
