export { TopUpPage as default, topUpMetadata as generateMetadata } from "@/app/_panels/counter-page";
