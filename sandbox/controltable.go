package sandbox

import (
	"crypto/ed25519"
	"encoding/json"
	"slices"

	"github.com/walletfi/walletfi-go/sandbox/internal/control"
)

var row = control.NewRow

// violationFilter are the arguments of what lists violations.
const violationFilter = "service? route? problem? client? tenant?"

// violationControls are the routes of what no correct client sends.
func violationControls() []control.Row {
	return []control.Row{
		row("GET /violations", violationFilter+" -> violations",
			"Lists the requests that no correct client sends, of a part of a problem or a client too.", violationsOf),
		row("GET /violation-groups", violationFilter+" -> groups",
			"Counts the violations by service, route, problem and client.", violationGroupsOf),
		row("GET /tenants", "-> tenants", "Lists the tenants with their addresses, keys and wallets.", Tenants),
		row("POST /add-tenant", "name keys? -> tenant",
			"Adds a tenant: a user with keys, limits, a wallet and violations of its own.",
			func(s *Sandbox, name string, keys map[Service]string) (TenantAccess, error) {
				return AddTenant(s, Tenant{Name: name, Keys: keys})
			}),
		row("GET /requests", "service? route? tenant? status? -> requests",
			"Lists the newest requests with their answers, without headers, keys, tokens and codes.",
			func(s *Sandbox, service Service, route, tenant string, status int) []Exchange {
				return Requests(s, Exchange{Service: service, Route: route, Tenant: tenant, Status: status})
			}),
		row("POST /reset", "parts",
			"Begins parts of the state again: violations, faults, or state, which is all but the clock and the addresses.",
			Reset),
		row("POST /forget-violations", "", "Begins the list of violations again.", ForgetViolations),
	}
}

// sandboxControls are the routes of the Sandbox's own methods. The path of a
// method is its name. Those below the empty line have no method.
func sandboxControls(closing func()) []control.Row {
	return []control.Row{
		row("GET /now", "-> time", "Tells the sandbox's time.", (*Sandbox).Now),
		row("POST /advance", "by", "Moves the sandbox's clock forward by at most 366 days, and lets what falls due happen.",
			advance),
		row("GET /snapshot", "-> snapshot", "Returns the whole state of the sandbox, as bytes.", Snapshot),
		row("POST /restore", "snapshot", "Takes the sandbox to the state of a snapshot.", Restore),
		row("POST /fault", "match? fault -> id", "Makes requests of the matching routes go wrong, until undone.",
			addFault),
		row("GET /lies", "-> lies", "Lists how a fault can make an answer wrong.", func(*Sandbox) []Lie { return Lies() }),
		row("POST /lied", "text lie member? -> text",
			"Makes a delivery or a message of the feed, as bytes, wrong as a fault makes an answer.",
			func(_ *Sandbox, text []byte, lie Lie, member string) ([]byte, error) { return Lied(text, lie, member) }),
		row("GET /routes", "-> routes", "Lists every route of every service.", (*Sandbox).Routes),
		row("GET /hits", "-> hits", "Counts the requests of each route that had any.", hits),
		row("GET /deliveries", "-> deliveries", "Lists the attempts to deliver a webhook.", (*Sandbox).Deliveries),
		row("POST /settle", "most", "Waits until no delivery is in flight, for so much real time at most.", Settle),
		row("POST /attack", "transaction", "Makes every service answer this transaction, as bytes, instead of its own.",
			func(s *Sandbox, transaction []byte) {
				s.Attack(func(string, []byte, [32]byte) []byte { return transaction })
			}),
		row("POST /drain", "thief",
			"Makes every service answer a transaction that sends all of the owner's SOL to the thief.",
			func(s *Sandbox, thief string) error {
				attack, err := Drain(s, thief)
				if err == nil {
					s.Attack(attack)
				}
				return err
			}),
		row("GET /url", "service -> url", "Tells a service's base URL.", (*Sandbox).URL),
		row("GET /api-key", "service -> key", "Tells the key or bearer token that a service takes.", (*Sandbox).APIKey),
		row("GET /program-id", "service -> address", "Tells the address of a service's program.", (*Sandbox).ProgramID),
		row("GET /mint", "symbol -> mint", "Tells the mint of the token with a symbol.", (*Sandbox).Mint),
		row("GET /wallet", "-> keypair", "Tells the test wallet's key: 64 bytes, as a Solana key file has them.",
			wallet),
		row("GET /wallet-address", "-> address", "Tells the test wallet's address.", (*Sandbox).WalletAddress),
		row("POST /close", "", "Closes the sandbox once this is answered.", func(*Sandbox) {}).
			Then(func() { go closing() }),
		row("GET /services", "-> services", "Lists the eleven services.",
			func(*Sandbox) []Service { return Services() }),
		row("POST /session-key-message", "instructions -> message",
			"Makes the message that a session key signs to have instructions executed.",
			func(_ *Sandbox, instructions json.RawMessage) ([]byte, error) {
				return SessionKeyMessage(instructions)
			}),

		row("GET /info", "-> services tokens wallet control templates",
			"Tells all that a program needs: addresses, keys, programs, the wallet, mints.", info),
		row("POST /advance-until", "time", "Moves the sandbox's clock forward to a time, by at most 366 days.", advanceUntil),
		row("POST /attack/stop", "", "Makes the services answer honest transactions again.",
			func(s *Sandbox) { s.Attack(nil) }),
		row("POST /sign-transaction", "transaction -> transaction base58 signature",
			"Signs a transaction, in base64 or base58, with the test wallet.",
			func(s *Sandbox, text string) ([]byte, string, string, error) { return s.world().SignTransaction(text) }),
		row("POST /sign-message", "message -> signature", "Signs bytes with the test wallet, by ed25519.",
			func(s *Sandbox, message []byte) []byte { return ed25519.Sign(s.Wallet(), message) }),
	}
}

// handleControls are the routes of violations, and of the handles' methods: the name of the handle's
// accessor, and the method's.
func handleControls() []control.Row {
	return slices.Concat(violationControls(), ledgerControls(), userControls(), feedControls(), serviceControls())
}

// ledgerControls are those of the ledger.
func ledgerControls() []control.Row {
	return []control.Row{
		row("GET /ledger/tokens", "-> tokens", "Lists the tokens of the ledger.", LedgerHandle.Tokens),
		row("POST /ledger/fund-wallet", "address lamports", "Creates lamports at an address.", LedgerHandle.FundWallet),
		row("POST /ledger/fund-token", "wallet mint amount", "Gives an amount of a token to a wallet, out of nothing.",
			LedgerHandle.FundToken),
		row("GET /ledger/balance", "address -> lamports", "Tells the lamports at an address.", LedgerHandle.Balance),
		row("GET /ledger/token-balance", "wallet mint -> amount",
			"Tells how much of a mint a wallet's associated account holds.", LedgerHandle.TokenBalance),
		row("GET /ledger/account", "address -> account found", "Reads an account.", LedgerHandle.Account),
		row("GET /ledger/token-account", "address -> account found", "Reads a token account.",
			LedgerHandle.TokenAccount),
		row("GET /ledger/associated-account", "wallet mint -> address",
			"Tells the address of a wallet's associated account of a mint.", LedgerHandle.AssociatedAccount),
		row("GET /ledger/transaction-status", "signature -> status", "Tells what became of a transaction.",
			LedgerHandle.TransactionStatus),
		row("GET /ledger/slot", "-> slot", "Tells the current slot.", LedgerHandle.Slot),
		row("GET /ledger/block-height", "-> height", "Tells the current block height.", LedgerHandle.BlockHeight),
		row("POST /ledger/least-price", "writable units from to -> microLamports",
			"Tells the least price that would have got a transaction into a block of some slots.",
			LedgerHandle.LeastPrice),
		row("GET /ledger/node-url", "i -> url", "Tells the address of a node of the network, counted from 0.",
			LedgerHandle.NodeURL),
		row("GET /ledger/nodesocket/url", "i -> url",
			"Tells the address of a node's WebSocket; nodes are counted from 0.",
			func(l LedgerHandle, i int) string { return l.NodeSocket(i).URL() }),
		row("POST /ledger/nodesocket/trouble", "i trouble",
			"Makes the notifications of a node's WebSocket go wrong from now on.",
			func(l LedgerHandle, i int, trouble NodeSocketTrouble) { l.NodeSocket(i).Trouble(trouble) }),
		row("POST /ledger/nodesocket/drop", "i -> connections",
			"Cuts every connection of a node's WebSocket without a close frame.",
			func(l LedgerHandle, i int) int { return l.NodeSocket(i).Drop() }),
		row("POST /ledger/nodesocket/silence", "i -> connections",
			"Makes every present connection of a node's WebSocket half-open.",
			func(l LedgerHandle, i int) int { return l.NodeSocket(i).Silence() }),
		row("GET /ledger/nodesocket/watching", "i -> signatures",
			"Tells how many signatures a node's WebSocket is asked for.",
			func(l LedgerHandle, i int) int { return l.NodeSocket(i).Watching() }),
	}
}

// userControls are those of the market, lending and smart accounts.
func userControls() []control.Row {
	return []control.Row{
		row("POST /market/set-price", "mint microUsd", "Moves the market price of a token, in millionths of a dollar.",
			MarketHandle.SetPrice),
		row("POST /lending/set-webhook", "url",
			"Sets the URL that the lending service posts its events to; empty stops them.", LendingHandle.SetWebhook),
		row("POST /lending/fail-protocol", "wallet mint",
			"Makes the protocol that holds a wallet's deposits of a mint fail.", LendingHandle.FailProtocol),
		row("GET /smartaccount/one-time-code", "email -> code",
			"Tells the code that was last sent to an email address, empty if none waits.",
			SmartAccountHandle.OneTimeCode),
		row("POST /smartaccount/sign-in", "email -> accessToken refreshToken", "Signs a user in without a request.",
			SmartAccountHandle.SignIn),
		row("POST /smartaccount/create-passkey", "-> passkey",
			"Makes a credential in the virtual authenticator: what registers a passkey.",
			SmartAccountHandle.CreatePasskey),
		row("POST /smartaccount/assert-passkey", "credentialId -> assertion",
			"Makes the assertion that signs in with a credential.", SmartAccountHandle.AssertPasskey),
		row("POST /smartaccount/refuse-silently", "times",
			"Makes the next requests fail with success:false under HTTP 200.", SmartAccountHandle.RefuseSilently),
		row("POST /smartaccount/set-policy-refuses", "policyId refuses",
			"Makes a policy refuse every transaction of its account, or stop doing so.",
			SmartAccountHandle.SetPolicyRefuses),
	}
}

// feedControls are those of prediction markets and their feed.
func feedControls() []control.Row {
	return []control.Row{
		row("GET /predictmeta/live-market", "-> market", "Tells the market that trades now and closes last.",
			PredictMetaHandle.LiveMarket),
		row("GET /predictmeta/wsurl", "-> url", "Tells the base URL of the WebSocket.", PredictMetaHandle.WSURL),
		row("GET /predictmeta/feed/subscriptions", "-> subscriptions",
			"Lists the subscriptions of the WebSocket's connections.", FeedHandle.Subscriptions),
		row("POST /predictmeta/feed/record", "", "Begins to keep what the WebSocket writes.", FeedHandle.Record),
		row("GET /predictmeta/feed/log", "-> messages", "Lists what the WebSocket wrote since.", FeedHandle.Log),
		row("POST /predictmeta/feed/drop", "-> connections", "Cuts every connection without a close frame.",
			FeedHandle.Drop),
		row("POST /predictmeta/feed/close", "code reason? -> connections", "Ends every connection with a close frame.",
			FeedHandle.Close),
		row("POST /predictmeta/feed/silence", "-> connections", "Makes every present connection half-open.",
			FeedHandle.Silence),
		row("POST /predictmeta/feed/push", "text", "Writes a text to every connection.", FeedHandle.Push),
		row("POST /predictmeta/feed/push-frames", "frames", "Writes bytes to every connection past the framing.",
			FeedHandle.PushFrames),
		row("POST /predictmeta/feed/slow", "chunk pause -> id",
			"Makes every connection write so many bytes at a time, with a pause, until undone.", FeedHandle.Slow),
		row("POST /predictmeta/feed/cut-after", "messages -> id",
			"Cuts every connection after so many messages, until undone.", FeedHandle.CutAfter),
	}
}

// serviceControls are those of the other services.
func serviceControls() []control.Row {
	return []control.Row{
		row("POST /swap/set-initializing", "initializing", "Makes every route of swap answer 503, or stop doing so.",
			SwapHandle.SetInitializing),
		row("GET /amm/data-url", "-> url", "Tells the base URL of the AMM's data host.", AMMHandle.DataURL),
		row("POST /amm/set-whole-envelope", "whole",
			"Makes the AMM want the whole envelope of a quote back, instead of its data.", AMMHandle.SetWholeEnvelope),
		row("GET /providerswap/providers", "-> providers", "Lists the slugs of the ten providers.",
			ProviderSwapHandle.Providers),
		row("POST /providerswap/set-errors", "form",
			"Makes providerswap write all errors in one form: json, html, or empty for both in turn.",
			ProviderSwapHandle.SetErrors),
		row("POST /burnclose/open-empty-accounts", "wallet n -> addresses",
			"Gives a wallet so many more empty token accounts.", BurnCloseHandle.OpenEmptyAccounts),
		row("GET /onchaindata/pro-url", "-> url", "Tells the base URL of the pro tier.", OnchainDataHandle.ProURL),
		row("GET /socialsearch/user-token", "-> token", "Tells a bearer token of a user.",
			SocialSearchHandle.UserToken),
		row("POST /socialsearch/add-post", "post -> id", "Adds a post to what the search finds.",
			SocialSearchHandle.AddPost),
		row("GET /socialsearch/usage", "-> usage", "Counts the reads that the post search bills.",
			SocialSearchHandle.Usage),
		row("POST /socialsearch/cap-usage", "posts",
			"Allows so many more posts to be read; a negative number removes the cap.", SocialSearchHandle.CapUsage),
		row("GET /webhooks/secret", "-> secret", "Tells the secret that deliveries are signed with.",
			WebhooksHandle.Secret),
		row("POST /webhooks/rotate-secret", "-> secret", "Makes the service sign with a new secret.",
			WebhooksHandle.RotateSecret),
		row("POST /webhooks/deliver", "webhookId body", "Delivers a body, as bytes, to a webhook's destination.",
			WebhooksHandle.Deliver),
		row("POST /webhooks/emit-evm", "network? transactions", "Makes a block on an EVM chain.",
			WebhooksHandle.EmitEVM),
		row("POST /webhooks/emit-utxo", "network? transactions", "Makes a block on a chain of unspent outputs.",
			WebhooksHandle.EmitUTXO),
	}
}
