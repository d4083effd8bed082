package sandbox

import (
	"fmt"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/node"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// NodeSocketHandle disturbs the WebSocket of a node.
type NodeSocketHandle struct {
	chain  *build.Chain
	socket *node.Socket
	url    string
}

// NodeSocketTrouble says what goes wrong with a node's signatureNotification.
type NodeSocketTrouble = play.NodeSocketTrouble

// NodeSocket returns the handle of the WebSocket of a node, counted as for
// [LedgerHandle.NodeURL]. It serves signatureSubscribe and slotSubscribe. It panics
// if there is no such node.
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
	h.chain.Lock()
	defer h.chain.Unlock()
	h.socket.Trouble = trouble
}

// Drop cuts every connection without a close frame, as a network failure does.
// It returns their number.
func (h NodeSocketHandle) Drop() int {
	h.chain.Lock()
	defer h.chain.Unlock()
	return h.socket.Feed.Drop()
}

// Silence makes every present connection half-open: it stays established, but
// nothing gets through in either direction, pings and pongs included. It returns
// their number.
func (h NodeSocketHandle) Silence() int {
	h.chain.Lock()
	defer h.chain.Unlock()
	return h.socket.Feed.Silence()
}

// Watching returns how many signatures are subscribed to.
func (h NodeSocketHandle) Watching() int {
	h.chain.Lock()
	defer h.chain.Unlock()
	return h.socket.Watching()
}
