export const DEMO_PASSWORD = "demo-wallet-2026";

export type DemoMerchant = {
  key: string;
  businessName: string;
  businessNameAr?: string;
  /** The owner's own colour of the cards; with it, the symbol becomes a logo. */
  colour?: string;
  image: { from: string; to: string; accent: string; sign: "cup" | "book" };
  owner: DemoPerson;
  workers: (DemoPerson & { branch: number })[];
  branches: { name: string; nameAr: string; city: string }[];
  /** Usual points of a top-up and of a purchase. */
  topUps: readonly number[];
  purchases: readonly number[];
  customers: readonly DemoCustomer[];
  /** Whether one more customer deleted the card and gave up the remaining points. */
  erased: boolean;
  /** The name of a till at the first branch, with shifts in the last days. */
  till?: string;
};
type DemoPerson = { firstName: string; lastName: string; email: string; phone: string };
type DemoCustomer = { fullName: string; email: string; locale: "en" | "ar" };

/** Names as pairs from a list: as displayed, and as used in an e-mail address. */
export const pairsIn = (list: string): [shown: string, mail: string][] =>
  list.split(",").map((pair) => {
    const [mail = "", ...shown] = pair.trim().split(" ").reverse();
    return [shown.reverse().join(" "), mail];
  });

const customersIn = (list: string): DemoCustomer[] =>
  pairsIn(list).map(([fullName, mail]) => ({
    fullName,
    email: `${mail}@customer.test`,
    locale: /\p{Script=Arabic}/u.test(fullName) ? "ar" : "en",
  }));

const KARAK: DemoMerchant = {
  key: "karak",
  businessName: "Karak House",
  businessNameAr: "بيت الكرك",
  colour: "#8a1538",
  image: { from: "#7c2d12", to: "#d97706", accent: "#fde68a", sign: "cup" },
  owner: { firstName: "Noora", lastName: "Al-Kuwari", email: "owner@karak.test", phone: "+97455012001" },
  workers: [
    { firstName: "Ravi", lastName: "Menon", email: "worker@karak.test", phone: "+97455012002", branch: 0 },
    { firstName: "Grace", lastName: "Santos", email: "grace@karak.test", phone: "+97455012003", branch: 1 },
  ],
  branches: [
    { name: "The Pearl", nameAr: "اللؤلؤة", city: "Doha" },
    { name: "Al Wakrah", nameAr: "الوكرة", city: "Al Wakrah" },
  ],
  topUps: [20, 50, 50, 100, 100, 150, 200],
  purchases: [6, 8, 12, 15, 18, 22, 25, 34, 40],
  customers: customersIn(`
    Layla Haddad layla, محمد الكواري m.alkuwari, فاطمة المري fatima.almarri,
    Abdulla Al-Thani abdulla.althani, نورة الهاجري noora.alhajri, Priya Nair priya.nair,
    حمد السليطي hamad.alsulaiti, Maria Santos maria.santos, مريم الدوسري maryam.aldosari,
    Omar Khalil omar.khalil, خالد العطية khalid.alattiyah, Sofia Martins sofia.martins,
    عائشة النعيمي aisha.alnuaimi, James O'Connor james.oconnor, جاسم الخليفي jassim.alkhulaifi,
    Dina Farouk dina.farouk, سلمى بن يوسف salma.benyoussef, Arjun Pillai arjun.pillai,
    تميم المناعي tamim.almannai, Hana Yoshida hana.yoshida, ريم الأنصاري reem.alansari,
    Bilal Chaudhry bilal.chaudhry, يوسف الجابر yousef.aljaber, Elena Petrova elena.petrova,
    هيا الكعبي haya.alkaabi, Samuel Mensah samuel.mensah, ناصر الشمري nasser.alshammari,
    Mei Ling Tan meiling.tan, العنود المسند alanoud.almissned, Karim Benali karim.benali`),
  erased: true,
  till: "Front till",
};

const ORYX: DemoMerchant = {
  key: "oryx",
  businessName: "Oryx Books",
  image: { from: "#134e4a", to: "#0891b2", accent: "#ccfbf1", sign: "book" },
  owner: { firstName: "Yousef", lastName: "Al-Emadi", email: "owner@oryx.test", phone: "+97455013001" },
  workers: [
    { firstName: "Amal", lastName: "Hassan", email: "worker@oryx.test", phone: "+97455013002", branch: 0 },
  ],
  branches: [
    { name: "Msheireb", nameAr: "مشيرب", city: "Doha" },
    { name: "Education City", nameAr: "المدينة التعليمية", city: "Al Rayyan" },
  ],
  topUps: [50, 100, 100, 150, 200, 300, 500],
  purchases: [25, 35, 42, 55, 60, 79, 95, 120],
  customers: customersIn(`
    Layla Haddad layla, عبدالرحمن الباكر a.albaker, Charlotte Dubois charlotte.dubois,
    شيخة المالكي shaikha.almalki, Daniel Kim daniel.kim, لولوة الرميحي lolwa.alrumaihi,
    Ahmed Mansour ahmed.mansour, سعود العبدالله saoud.alabdulla, Nadia Rahman nadia.rahman,
    موزة المهندي moza.almohannadi, Thomas Weber thomas.weber, راشد البوعينين rashid.albuainain,
    Grace Wanjiru grace.wanjiru, دانة السادة dana.alsada, Ibrahim Diallo ibrahim.diallo,
    غانم الفضالة ghanim.alfadala, Anjali Menon anjali.menon, بدر اليافعي bader.alyafei,
    Lucia Romano lucia.romano, هند الحمادي hind.alhammadi, Faisal Qureshi faisal.qureshi,
    سارة الملا sara.almulla, Peter Novak peter.novak, علي الحبابي ali.alhababi,
    Zainab Jaffer zainab.jaffer, منيرة الخاطر munira.alkhater, Oliver Grant oliver.grant`),
  erased: false,
};

export const DEMO_MERCHANTS: readonly DemoMerchant[] = [KARAK, ORYX];

export const PENDING = {
  businessName: "Saffron Kitchen",
  owner: { firstName: "Mariam", lastName: "Al-Sayed", email: "owner@pending.test", phone: "+97455014001" },
  branch: { name: "Souq Waqif", city: "Doha" },
};

export const ADMINISTRATORS = [
  { role: "super_admin", firstName: "Sara", lastName: "Al-Ansari", email: "super@wallet.test" },
  { role: "admin", firstName: "Adam", lastName: "Rahim", email: "admin@wallet.test" },
] as const;
