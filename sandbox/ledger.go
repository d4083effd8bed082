package sandbox

import (
	"fmt"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/node"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// LedgerHandle reads the sandbox's ledger and adds money to it.
type LedgerHandle struct {
	chain   *build.Chain
	sockets []*node.Socket
}

// Ledger returns the handle of the ledger.
func (s *Sandbox) Ledger() LedgerHandle { return LedgerHandle{s.world().Chain, s.world().Sockets} }

// Account has what the ledger holds under an address.
type Account = play.Account

// TokenAccount is a token account, decoded.
type TokenAccount = play.TokenAccount

// TransactionStatus is the outcome of a transaction.
type TransactionStatus = play.TransactionStatus

// Token is a token of the sandbox's ledger.
type Token = play.Token

// Tokens returns the tokens that the services know: SOL (wrapped), USDC, USDT,
// DUST (worth next to nothing), TAXED (a Token-2022 mint that withholds 1 % of
// each transfer), and what services added.
func (l LedgerHandle) Tokens() []Token {
	public := func(t build.Token) Token { return t.Token }
	return kit.Under(l.chain, func() []Token { return kit.List(l.chain.Tokens, public) })
}

// FundWallet creates lamports at an address.
func (l LedgerHandle) FundWallet(address string, lamports uint64) error {
	return l.chain.FundWallet(address, lamports)
}

// FundToken gives an amount of a token, in smallest units, to a wallet out of
// nothing. It creates the wallet's associated token account if it is missing.
func (l LedgerHandle) FundToken(wallet, mint string, amount uint64) error {
	return l.chain.FundToken(wallet, mint, amount)
}

// Balance returns the lamports at an address.
func (l LedgerHandle) Balance(address string) (lamports uint64) {
	return l.chain.View().Balance(address)
}

// TokenBalance returns how much of a mint the associated account of a wallet
// holds, in smallest units.
func (l LedgerHandle) TokenBalance(wallet, mint string) (amount uint64) {
	return l.chain.View().TokenBalance(wallet, mint)
}

// Account returns the account at an address and whether it exists.
func (l LedgerHandle) Account(address string) (account Account, ok bool) {
	return l.chain.View().Account(address)
}

// TokenAccount returns the token account at an address and whether it exists.
func (l LedgerHandle) TokenAccount(address string) (account TokenAccount, ok bool) {
	return l.chain.View().TokenAccount(address)
}

// AssociatedAccount returns the address of a wallet's associated account of a
// mint that the sandbox knows, base58, empty for any other.
func (l LedgerHandle) AssociatedAccount(wallet, mint string) (address string) {
	return l.chain.View().AssociatedAccount(wallet, mint)
}

// TransactionStatus returns the status of a transaction by its signature.
func (l LedgerHandle) TransactionStatus(signature string) (status TransactionStatus) {
	return l.chain.View().TransactionStatus(signature)
}

// Slot returns the current slot.
func (l LedgerHandle) Slot() uint64 { return l.chain.View().Slot() }

// BlockHeight returns the current block height.
func (l LedgerHandle) BlockHeight() uint64 { return l.chain.View().BlockHeight() }

// LeastPrice returns the least price, in micro-lamports per compute unit, at which a
// transaction that writes these accounts and has this compute limit would have got into
// one of the blocks of the slots from one to another, both included, beside the other
// traffic of [FeeMarket]. The slots may be in the future. Without a market it is 0. It
// fails on what is no address, for more than 100,000 slots, and if none of the blocks
// has so much room.
func (l LedgerHandle) LeastPrice(writable []string, units, from, to uint64) (microLamports uint64, err error) {
	return l.chain.LeastPrice(writable, units, from, to)
}

// NodeURL returns the address of a node of Config.Network, counted from 0. The
// first is also URL(RPC).
func (l LedgerHandle) NodeURL(i int) string { return l.chain.HostURL(RPC, kit.NodeName(i)) }

// NodeSocketHandle disturbs the WebSocket of a node.
type NodeSocketHandle struct {
	chain  *build.Chain
	socket *node.Socket
	url    string
}

// NodeSocketTrouble says what goes wrong with a node's signatureNotification.
type NodeSocketTrouble = play.NodeSocketTrouble

// NodeSocket returns the handle of the WebSocket of a node, counted as for
// [LedgerHandle.NodeURL]. It serves accountSubscribe, blockSubscribe, programSubscribe,
// logsSubscribe, signatureSubscribe, slotSubscribe, rootSubscribe and slotsUpdatesSubscribe.
// It panics if there is no such node.
func (l LedgerHandle) NodeSocket(i int) NodeSocketHandle {
	if i < 0 || i >= len(l.sockets) {
		panic(fmt.Sprintf("sandbox: there is no node %d of %d", i, len(l.sockets)))
	}
	return NodeSocketHandle{l.chain, l.sockets[i], l.chain.SocketURL(i)}
}

// URL returns the address of the WebSocket: at the port after the node's.
func (h NodeSocketHandle) URL() string { return h.url }

// Trouble makes notifications go wrong from now on. The zero value ends that.
func (h NodeSocketHandle) Trouble(trouble NodeSocketTrouble) {
	h.chain.Locked(func() { h.socket.Trouble = trouble })
}

// Drop cuts every connection without a close frame, as a network failure does.
// It returns their number.
func (h NodeSocketHandle) Drop() int { return kit.Under(h.chain, h.socket.Feed.Drop) }

// Silence makes every present connection half-open: it stays established, but
// nothing gets through in either direction, pings and pongs included. It returns
// their number.
func (h NodeSocketHandle) Silence() int { return kit.Under(h.chain, h.socket.Feed.Silence) }

// Watching returns how many signatures are subscribed to.
func (h NodeSocketHandle) Watching() int { return kit.Under(h.chain, h.socket.Watching) }
