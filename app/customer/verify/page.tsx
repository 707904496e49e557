import { Suspense } from "react";
import { merchantOfLink } from "@/app/customer/_merchant";
import { Branded } from "@/components/cards/sign-up/merchant-face";
import { VerifyScreen } from "@/components/cards/sign-up/verify-screen";
import { CustomerFrame } from "@/components/layout/customer-frame";
import { PageSpinner } from "@/components/ui/spinner";
import { pageTitle, type SearchParams } from "@/lib/api/page";

export const generateMetadata = pageTitle("customerVerify.pageTitle");

export default async function VerifyPage({ searchParams }: { searchParams: SearchParams }) {
  const merchant = await merchantOfLink((await searchParams).merchantId);
  const shown = merchant?.shown ?? null;
  return (
    <CustomerFrame head={shown?.businessName}>
      <Branded colours={shown?.colours}>
        <Suspense fallback={<PageSpinner />}>
          <VerifyScreen merchant={shown} />
        </Suspense>
      </Branded>
    </CustomerFrame>
  );
}
