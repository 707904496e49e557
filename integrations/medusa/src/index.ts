import { ModuleProvider, Modules } from "@medusajs/framework/utils";
import { WalletPaymentProvider } from "./provider.ts";

export default ModuleProvider(Modules.PAYMENT, { services: [WalletPaymentProvider] });
