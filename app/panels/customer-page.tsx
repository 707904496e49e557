import { CustomerView } from "@/components/customers/customer-view";
import { soon } from "@/components/data";
import { customerProfile } from "@/lib/customers/customer-profile";
import { PANELS } from "@/lib/domain/panels";
import { customerIdSchema } from "@/lib/domain/schemas/customers";
import { pageContext, readOr404 } from "@/lib/http/page";
import type { SearchParams } from "@/lib/http/query";
import { statement } from "@/lib/ledger/statement";
import { editCustomerAction, sendUnfreezeCodeAction, unfreezeCustomerAction } from "./customer-actions";

type CustomerPageProps = { params: Promise<{ id: string }>; searchParams: SearchParams };

/** One customer with the statement. */
export async function CustomerPage({ params, searchParams }: CustomerPageProps) {
  const ctx = await pageContext("customers.read");
  const customer = await readOr404(
    customerProfile,
    ctx,
    customerIdSchema.parse({ customerId: (await params).id.slice(0, 100) }),
  );
  const { cursor } = await searchParams;
  const page = soon(
    statement(ctx, {
      customerId: customer.id,
      cursor: typeof cursor === "string" ? cursor.slice(0, 40) : undefined,
    }),
  );
  return (
    <CustomerView
      customer={customer}
      statement={page}
      base={`/${PANELS[ctx.actor.role].segment}`}
      actions={{
        edit: editCustomerAction,
        sendCode: sendUnfreezeCodeAction,
        unfreeze: unfreezeCustomerAction,
      }}
    />
  );
}
