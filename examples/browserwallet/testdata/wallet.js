// A wallet by the Wallet Standard. Its key, and what it does with what it is given, are the test's.
const bytesOf = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
const textOf = (bytes) => btoa(String.fromCharCode(...bytes));
window.testWallet = { mode: "honest", signed: [] };

async function device(path, body) {
  const response = await fetch(`/test/${path}`, { method: "POST", body: JSON.stringify(body) });
  if (!response.ok) throw new Error("User rejected the request.");
  return response.json();
}

function signInText(i, address) {
  return `${i.domain} wants you to sign in with your Solana account:\n${address}\n\n${i.statement}\n\n` +
    `URI: ${i.uri}\nVersion: ${i.version}\nNonce: ${i.nonce}\nIssued At: ${i.issuedAt}\n` +
    `Expiration Time: ${i.expirationTime}`;
}

const { address, publicKey } = await device("account", {});
const chains = ["solana:mainnet", "solana:localnet"];
const features = {
  "standard:connect": { version: "1.0.0", connect: async () => ({ accounts: wallet.accounts }) },
  "solana:signIn": { version: "1.0.0", signIn: async (...inputs) => Promise.all(inputs.map(async (input) => {
    const signedMessage = new TextEncoder().encode(signInText(input, address));
    const { signature } = await device("message", { message: textOf(signedMessage) });
    return { account: wallet.accounts[0], signedMessage, signature: bytesOf(signature) };
  })) },
  "solana:signTransaction": { version: "1.0.0", supportedTransactionVersions: ["legacy", 0],
    signTransaction: async (...inputs) => Promise.all(inputs.map(async ({ account, chain, transaction }) => {
      if (account.address !== address || !chains.includes(chain)) throw new Error("another account or chain");
      const { signed } = await device("transaction", { mode: window.testWallet.mode, transaction: textOf(transaction) });
      window.testWallet.signed = [signed];
      return { signedTransaction: bytesOf(signed) };
    })) },
};
const wallet = {
  version: "1.0.0", name: "Test", icon: "data:image/svg+xml;base64,PHN2Zy8+", chains, features,
  accounts: [{ address, publicKey: bytesOf(publicKey), chains, features: Object.keys(features) }],
};
const register = (api) => api.register(wallet);
window.addEventListener("wallet-standard:app-ready", (event) => register(event.detail));
window.dispatchEvent(new CustomEvent("wallet-standard:register-wallet", { detail: register }));
window.testWallet.ready = true;
