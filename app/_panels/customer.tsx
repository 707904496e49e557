import { CustomerView } from "@/components/customers/customer-view";
import { deferRead } from "@/components/data/streamed";
import { MovementReceipt } from "@/components/receipts/movement-receipt";
import { pageContext, readOr404, type SearchParams } from "@/lib/api/page";
import { serveCustomer } from "@/lib/counter/serve-customer";
import { customerEmails } from "@/lib/customers/change-customer-email";
import { customerProfile } from "@/lib/customers/customer";
import { customerIdSchema } from "@/lib/customers/model/customers";
import { PANELS } from "@/lib/domain/panels";
import { holdsSchema } from "@/lib/holds/model";
import { listHolds } from "@/lib/holds/read-holds";
import { pageTitle } from "@/lib/i18n/page-title";
import { statement } from "@/lib/ledger/read-movements";

type CustomerPageProps = { params: Promise<{ id: string }>; searchParams: SearchParams };

export const customerMetadata = pageTitle("panels.titles.customers");

/** One customer with their statement. */
export async function CustomerPage({ params, searchParams }: CustomerPageProps) {
  const ctx = await pageContext(customerProfile);
  const customer = await readOr404(
    customerProfile,
    ctx,
    customerIdSchema.parse({ customerId: (await params).id.slice(0, 100) }),
  );
  const about = { customerId: customer.id };
  const [served, emails, holds] =
    customer.status === "erased"
      ? [null, null, null]
      : await Promise.all([
          readOr404(serveCustomer, ctx, about),
          readOr404(customerEmails, ctx, about),
          listHolds(ctx, holdsSchema.parse({ ...about, state: "open" })),
        ]);
  const { cursor } = await searchParams;
  const after = typeof cursor === "string" ? cursor.slice(0, 40) : undefined;
  const page = deferRead(statement(ctx, { ...about, cursor: after }));
  return (
    <CustomerView
      customer={served ? { ...customer, balance: served.balance, cashValue: served.cashValue } : customer}
      served={served}
      reserved={holds?.results ?? []}
      emails={emails}
      session={ctx.actor.handle}
      statement={page}
      receipt={({ id, type }) => (
        <MovementReceipt iconOnly movement={{ id, type }} handle={ctx.actor.handle} />
      )}
      base={`/${PANELS[ctx.actor.role].segment}`}
    />
  );
}
