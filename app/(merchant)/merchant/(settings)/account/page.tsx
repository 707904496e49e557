import { AccountSections } from "@/app/_panels/account-sections";
import { BusinessCard } from "@/components/merchants/business-card";
import { pageContext, pageTitle } from "@/lib/api/page";
import { picturesOf } from "@/lib/files/media-url";
import { viewBusiness } from "@/lib/merchants/business";
import { SignupLink } from "./signup-link";

export const generateMetadata = pageTitle("panels.titles.account");

export default async function AccountPage() {
  const ctx = await pageContext(viewBusiness);
  const business = await viewBusiness(ctx, {});
  const profile = (
    <BusinessCard
      business={business}
      pictures={picturesOf(business)}
      pending={picturesOf(business.pending ?? {})}
    />
  );
  return <AccountSections first={profile} second={<SignupLink />} />;
}
