export { RedeemPage as default, redeemMetadata as generateMetadata } from "@/app/_panels/counter-page";
