package sandbox

import "github.com/walletfi/walletfi-go/sandbox/internal/control"

// sandboxControls are the routes of the Sandbox's own methods. The path of a
// method is its name. Those below the empty line have no method.
func (s *Sandbox) sandboxControls(c ControlPort) []control.Row {
	return []control.Row{
		{Method: "GET", Path: "/now", Do: (*Sandbox).Now, Out: "time", Does: "Tells the sandbox's time."},
		{Method: "POST", Path: "/advance", Do: (*Sandbox).Advance, In: "by", Does: "Moves the sandbox's clock forward, and lets what falls due happen."},
		{Method: "POST", Path: "/fault", Do: (*Sandbox).Fault, In: "match? fault", Out: "id", Does: "Makes requests of the matching routes go wrong, until undone."},
		{Method: "GET", Path: "/violations", Do: (*Sandbox).Violations, Out: "violations", Does: "Lists the requests that no correct client sends."},
		{Method: "GET", Path: "/routes", Do: (*Sandbox).Routes, Out: "routes", Does: "Lists every route of every service."},
		{Method: "GET", Path: "/hits", Do: hits, Out: "hits", Does: "Counts the requests of each route that had any."},
		{Method: "GET", Path: "/deliveries", Do: (*Sandbox).Deliveries, Out: "deliveries", Does: "Lists the attempts to deliver a webhook."},
		{Method: "POST", Path: "/settle", Do: (*Sandbox).Settle, In: "most", Does: "Waits until no delivery is in flight, for so much real time at most."},
		{Method: "POST", Path: "/attack", Do: replaceAll, In: "transaction", Does: "Makes every service answer this transaction, as bytes, instead of its own."},
		{Method: "POST", Path: "/drain", Do: drain, In: "thief", Does: "Makes every service answer a transaction that sends all of the owner's SOL to the thief."},
		{Method: "GET", Path: "/url", Do: (*Sandbox).URL, In: "service", Out: "url", Does: "Tells a service's base URL."},
		{Method: "GET", Path: "/api-key", Do: (*Sandbox).APIKey, In: "service", Out: "key", Does: "Tells the key or bearer token that a service takes."},
		{Method: "GET", Path: "/program-id", Do: (*Sandbox).ProgramID, In: "service", Out: "address", Does: "Tells the address of a service's program."},
		{Method: "GET", Path: "/mint", Do: (*Sandbox).Mint, In: "symbol", Out: "mint", Does: "Tells the mint of the token with a symbol."},
		{Method: "GET", Path: "/wallet", Do: wallet, Out: "keypair", Does: "Tells the test wallet's key: 64 bytes, as a Solana key file has them."},
		{Method: "GET", Path: "/wallet-address", Do: (*Sandbox).WalletAddress, Out: "address", Does: "Tells the test wallet's address."},
		{Method: "POST", Path: "/close", Do: func(*Sandbox) {}, Does: "Closes the sandbox once this is answered.", After: func() { go s.closeFor(c) }},
		{Method: "GET", Path: "/services", Do: func(*Sandbox) []Service { return Services() }, Out: "services", Does: "Lists the eleven services."},
		{Method: "POST", Path: "/session-key-message", Do: sessionKeyMessage, In: "instructions", Out: "message", Does: "Makes the message that a session key signs to have instructions executed."},

		{Method: "GET", Path: "/info", Do: info, Out: "services tokens wallet control templates", Does: "Tells all that a program needs: addresses, keys, programs, the wallet, mints."},
		{Method: "POST", Path: "/advance-until", Do: advanceUntil, In: "time", Does: "Moves the sandbox's clock forward to a time."},
		{Method: "POST", Path: "/attack/stop", Do: stopAttack, Does: "Makes the services answer honest transactions again."},
		{Method: "POST", Path: "/sign-transaction", Do: signTransaction, In: "transaction", Out: "transaction base58 signature", Does: "Signs a transaction, in base64 or base58, with the test wallet."},
		{Method: "POST", Path: "/sign-message", Do: signMessage, In: "message", Out: "signature", Does: "Signs bytes with the test wallet, by ed25519."},
	}
}

// handleControls are the routes of the handles' methods: the name of the handle's
// accessor, and the method's.
func handleControls() []control.Row {
	return []control.Row{
		{Method: "GET", Path: "/ledger/tokens", Do: LedgerHandle.Tokens, Out: "tokens", Does: "Lists the tokens of the ledger."},
		{Method: "POST", Path: "/ledger/fund-wallet", Do: LedgerHandle.FundWallet, In: "address lamports", Does: "Creates lamports at an address."},
		{Method: "POST", Path: "/ledger/fund-token", Do: LedgerHandle.FundToken, In: "wallet mint amount", Does: "Gives an amount of a token to a wallet, out of nothing."},
		{Method: "GET", Path: "/ledger/balance", Do: LedgerHandle.Balance, In: "address", Out: "lamports", Does: "Tells the lamports at an address."},
		{Method: "GET", Path: "/ledger/token-balance", Do: LedgerHandle.TokenBalance, In: "wallet mint", Out: "amount", Does: "Tells how much of a mint a wallet's associated account holds."},
		{Method: "GET", Path: "/ledger/account", Do: LedgerHandle.Account, In: "address", Out: "account found", Does: "Reads an account."},
		{Method: "GET", Path: "/ledger/token-account", Do: LedgerHandle.TokenAccount, In: "address", Out: "account found", Does: "Reads a token account."},
		{Method: "GET", Path: "/ledger/associated-account", Do: LedgerHandle.AssociatedAccount, In: "wallet mint", Out: "address", Does: "Tells the address of a wallet's associated account of a mint."},
		{Method: "GET", Path: "/ledger/transaction-status", Do: LedgerHandle.TransactionStatus, In: "signature", Out: "status", Does: "Tells what became of a transaction."},
		{Method: "GET", Path: "/ledger/slot", Do: LedgerHandle.Slot, Out: "slot", Does: "Tells the current slot."},
		{Method: "GET", Path: "/ledger/block-height", Do: LedgerHandle.BlockHeight, Out: "height", Does: "Tells the current block height."},
		{Method: "GET", Path: "/ledger/node-url", Do: LedgerHandle.NodeURL, In: "i", Out: "url", Does: "Tells the address of a node of the network, counted from 0."},
		{Method: "GET", Path: "/ledger/node-socket", Do: LedgerHandle.NodeSocket, In: "i", Out: "url", Does: "Tells the address of a node's WebSocket, counted from 0."},
		{Method: "POST", Path: "/market/set-price", Do: MarketHandle.SetPrice, In: "mint microUsd", Does: "Moves the market price of a token, in millionths of a dollar."},
		{Method: "POST", Path: "/lending/set-webhook", Do: LendingHandle.SetWebhook, In: "url", Does: "Sets the URL that the lending service posts its events to; empty stops them."},
		{Method: "POST", Path: "/lending/fail-protocol", Do: LendingHandle.FailProtocol, In: "wallet mint", Does: "Makes the protocol that holds a wallet's deposits of a mint fail."},
		{Method: "GET", Path: "/smartaccount/one-time-code", Do: SmartAccountHandle.OneTimeCode, In: "email", Out: "code", Does: "Tells the code that was last sent to an email address, empty if none waits."},
		{Method: "POST", Path: "/smartaccount/sign-in", Do: SmartAccountHandle.SignIn, In: "email", Out: "accessToken refreshToken", Does: "Signs a user in without a request."},
		{Method: "POST", Path: "/smartaccount/create-passkey", Do: SmartAccountHandle.CreatePasskey, Out: "passkey", Does: "Makes a credential in the virtual authenticator: what registers a passkey."},
		{Method: "POST", Path: "/smartaccount/assert-passkey", Do: SmartAccountHandle.AssertPasskey, In: "credentialId", Out: "assertion", Does: "Makes the assertion that signs in with a credential."},
		{Method: "POST", Path: "/smartaccount/refuse-silently", Do: SmartAccountHandle.RefuseSilently, In: "times", Does: "Makes the next requests fail with success:false under HTTP 200."},
		{Method: "POST", Path: "/smartaccount/set-policy-refuses", Do: SmartAccountHandle.SetPolicyRefuses, In: "policyId refuses", Does: "Makes a policy refuse every transaction of its account, or stop doing so."},
		{Method: "GET", Path: "/predictmeta/wsurl", Do: PredictMetaHandle.WSURL, Out: "url", Does: "Tells the base URL of the WebSocket."},
		{Method: "GET", Path: "/predictmeta/feed/subscriptions", Do: FeedHandle.Subscriptions, Out: "subscriptions", Does: "Lists the subscriptions of the WebSocket's connections."},
		{Method: "POST", Path: "/predictmeta/feed/record", Do: FeedHandle.Record, Does: "Begins to keep what the WebSocket writes."},
		{Method: "GET", Path: "/predictmeta/feed/log", Do: FeedHandle.Log, Out: "messages", Does: "Lists what the WebSocket wrote since."},
		{Method: "POST", Path: "/predictmeta/feed/drop", Do: FeedHandle.Drop, Out: "connections", Does: "Cuts every connection without a close frame."},
		{Method: "POST", Path: "/predictmeta/feed/close", Do: FeedHandle.Close, In: "code reason?", Out: "connections", Does: "Ends every connection with a close frame."},
		{Method: "POST", Path: "/predictmeta/feed/silence", Do: FeedHandle.Silence, Out: "connections", Does: "Makes every present connection half-open."},
		{Method: "POST", Path: "/predictmeta/feed/push", Do: FeedHandle.Push, In: "text", Does: "Writes a text to every connection."},
		{Method: "POST", Path: "/predictmeta/feed/push-frames", Do: FeedHandle.PushFrames, In: "frames", Does: "Writes bytes to every connection past the framing."},
		{Method: "POST", Path: "/predictmeta/feed/slow", Do: FeedHandle.Slow, In: "chunk pause", Out: "id", Does: "Makes every connection write so many bytes at a time, with a pause, until undone."},
		{Method: "POST", Path: "/predictmeta/feed/cut-after", Do: FeedHandle.CutAfter, In: "messages", Out: "id", Does: "Cuts every connection after so many messages, until undone."},
		{Method: "POST", Path: "/swap/set-initializing", Do: SwapHandle.SetInitializing, In: "initializing", Does: "Makes every route of swap answer 503, or stop doing so."},
		{Method: "GET", Path: "/amm/data-url", Do: AMMHandle.DataURL, Out: "url", Does: "Tells the base URL of the AMM's data host."},
		{Method: "POST", Path: "/amm/set-whole-envelope", Do: AMMHandle.SetWholeEnvelope, In: "whole", Does: "Makes the AMM want the whole envelope of a quote back, instead of its data."},
		{Method: "GET", Path: "/providerswap/providers", Do: ProviderSwapHandle.Providers, Out: "providers", Does: "Lists the slugs of the ten providers."},
		{Method: "POST", Path: "/providerswap/set-errors", Do: ProviderSwapHandle.SetErrors, In: "form", Does: "Makes providerswap write all errors in one form: json, html, or empty for both in turn."},
		{Method: "POST", Path: "/burnclose/open-empty-accounts", Do: BurnCloseHandle.OpenEmptyAccounts, In: "wallet n", Out: "addresses", Does: "Gives a wallet so many more empty token accounts."},
		{Method: "GET", Path: "/onchaindata/pro-url", Do: OnchainDataHandle.ProURL, Out: "url", Does: "Tells the base URL of the pro tier."},
		{Method: "GET", Path: "/socialsearch/user-token", Do: SocialSearchHandle.UserToken, Out: "token", Does: "Tells a bearer token of a user."},
		{Method: "POST", Path: "/socialsearch/add-post", Do: SocialSearchHandle.AddPost, In: "post", Out: "id", Does: "Adds a post to what the search finds."},
		{Method: "GET", Path: "/socialsearch/usage", Do: SocialSearchHandle.Usage, Out: "usage", Does: "Counts the reads that the post search bills."},
		{Method: "POST", Path: "/socialsearch/cap-usage", Do: SocialSearchHandle.CapUsage, In: "posts", Does: "Allows so many more posts to be read; a negative number removes the cap."},
		{Method: "GET", Path: "/webhooks/secret", Do: WebhooksHandle.Secret, Out: "secret", Does: "Tells the secret that deliveries are signed with."},
		{Method: "POST", Path: "/webhooks/rotate-secret", Do: WebhooksHandle.RotateSecret, Out: "secret", Does: "Makes the service sign with a new secret."},
		{Method: "POST", Path: "/webhooks/deliver", Do: WebhooksHandle.Deliver, In: "webhookId body", Does: "Delivers a body, as bytes, to a webhook's destination."},
		{Method: "POST", Path: "/webhooks/emit-evm", Do: WebhooksHandle.EmitEVM, In: "network? transactions", Does: "Makes a block on an EVM chain."},
		{Method: "POST", Path: "/webhooks/emit-utxo", Do: WebhooksHandle.EmitUTXO, In: "network? transactions", Does: "Makes a block on a chain of unspent outputs."},
	}
}
