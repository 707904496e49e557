import type { LucideIcon } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { saveLocaleAction } from "@/app/_session/actions";
import { RecoverCard } from "@/components/cards/recover-card";
import { CustomerFrame, CustomerNotice } from "@/components/layout/customer-frame";
import { PageTools } from "@/components/theme/switches";

/** The frame of a customer's page with its switches of language and theme. `onLocale` saves the language elsewhere too. */
export function Frame({
  onLocale = saveLocaleAction,
  ...frame
}: Omit<ComponentProps<typeof CustomerFrame>, "tools"> & Partial<ComponentProps<typeof PageTools>>) {
  return <CustomerFrame {...frame} tools={<PageTools onLocale={onLocale} />} />;
}

/** The page of an address that leads to no card, with a form that mails the links of one's cards. */
export function NoCard({ icon, title, children }: { icon: LucideIcon; title: string; children: ReactNode }) {
  return (
    <Frame>
      <CustomerNotice icon={icon} title={title} action={<RecoverCard />}>
        {children}
      </CustomerNotice>
    </Frame>
  );
}
