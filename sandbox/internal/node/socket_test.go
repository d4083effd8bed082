package node_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"
	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/worldtest"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

func subscribe(t *testing.T, ws *websocket.Conn, id int, signature solana.Signature, commitment string) string {
	t.Helper()
	return worldtest.FeedSay(t, ws, fmt.Sprintf(
		`{"jsonrpc":"2.0","id":%d,"method":"signatureSubscribe","params":[%q,{"commitment":%q,"enableReceivedNotification":false}]}`, id, signature, commitment))
}

func notification(number int, slot uint64, err string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":"signatureNotification","params":{"subscription":%d,
		"result":{"context":{"slot":%d},"value":{"err":%s}}}}`, number, slot, err)
}

func (s *started) send(t *testing.T, tx *solana.Transaction) {
	t.Helper()
	_, err := s.node(t).SendTransactionWithOpts(t.Context(), tx, rpc.TransactionOpts{SkipPreflight: true})
	require.NoError(t, err)
}

func TestSocketTellsOfSignatures(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	ws := worldtest.FeedDial(t, s.SocketURL(0), nil)
	to := build.PublicKey(s.Keypair("to"))
	good, bad := s.payment(t, to, 5_000_000), s.payment(t, to, 1<<50)
	assert.JSONEq(t, `{"jsonrpc":"2.0","result":0,"id":1}`, subscribe(t, ws, 1, good.Signatures[0], "confirmed"))
	assert.JSONEq(t, `{"jsonrpc":"2.0","result":1,"id":2}`, subscribe(t, ws, 2, bad.Signatures[0], "processed"))
	s.send(t, bad)
	assert.JSONEq(t, notification(1, kit.FirstSlot, `{"InstructionError":[0,{"Custom":1}]}`), worldtest.FeedRead(t, ws))
	s.send(t, good)
	s.Advance(400 * time.Millisecond)
	assert.JSONEq(t, notification(0, kit.FirstSlot, `null`), worldtest.FeedRead(t, ws), "of the bank that is confirmed")

	assert.JSONEq(t, `{"jsonrpc":"2.0","result":2,"id":3}`, subscribe(t, ws, 3, good.Signatures[0], "confirmed"))
	assert.JSONEq(t, notification(2, kit.FirstSlot, `null`), worldtest.FeedRead(t, ws), "what has landed is told at once")
	assert.JSONEq(t, `{"jsonrpc":"2.0","result":3,"id":4}`, subscribe(t, ws, 4, good.Signatures[0], "finalized"))
	assert.JSONEq(t, `{"jsonrpc":"2.0","result":true,"id":5}`, worldtest.FeedSay(t, ws, `{"jsonrpc":"2.0","id":5,"method":"signatureUnsubscribe","params":[3]}`))
	s.Advance(time.Minute)
	assert.Contains(t, worldtest.FeedSay(t, ws, `{"jsonrpc":"2.0","id":6,"method":"signatureUnsubscribe","params":[3]}`), "Invalid subscription id")
	assert.Empty(t, s.Violations())
}

func TestSocketTellsSlots(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, Network: &play.Network{Nodes: []play.Node{{}, {Lag: 3}}}})
	for i, lag := range []uint64{0, 3} {
		ws := worldtest.FeedDial(t, s.SocketURL(i), nil)
		worldtest.FeedSay(t, ws, `{"jsonrpc":"2.0","id":1,"method":"slotSubscribe"}`)
		for range 2 {
			s.Advance(400 * time.Millisecond)
			slot := s.View().Slot() - lag
			assert.JSONEq(t, fmt.Sprintf(`{"jsonrpc":"2.0","method":"slotNotification","params":{"subscription":0,"result":{"slot":%d,"parent":%d,"root":%d}}}`,
				slot, slot-1, slot-32), worldtest.FeedRead(t, ws))
		}
	}
	s.Advance(20 * time.Minute) // nobody reads
}

func TestSocketTrouble(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	ws := worldtest.FeedDial(t, s.SocketURL(0), nil)
	trouble := func(x play.NodeSocketTrouble) {
		s.Lock()
		defer s.Unlock()
		s.Sockets[0].Trouble = x
	}
	to := build.PublicKey(s.Keypair("to"))
	next := func(i int) *solana.Transaction {
		tx := s.payment(t, to, uint64(5_000_000+i))
		subscribe(t, ws, 9, tx.Signatures[0], "processed")
		return tx
	}
	trouble(play.NodeSocketTrouble{Lost: true})
	s.send(t, next(0)) // number 0: nothing comes
	trouble(play.NodeSocketTrouble{Repeats: 1})
	s.send(t, next(1))
	for range 2 {
		assert.JSONEq(t, notification(1, kit.FirstSlot, `null`), worldtest.FeedRead(t, ws))
	}
	trouble(play.NodeSocketTrouble{Late: time.Second})
	s.send(t, next(2))
	s.Advance(time.Second)
	assert.JSONEq(t, notification(2, kit.FirstSlot+2, `null`), worldtest.FeedRead(t, ws))
	trouble(play.NodeSocketTrouble{Foreign: true})
	other, mine := next(3), next(4)
	s.send(t, mine)
	assert.JSONEq(t, notification(4, kit.FirstSlot+2, `null`), worldtest.FeedRead(t, ws))
	assert.JSONEq(t, notification(3, kit.FirstSlot+2, `null`), worldtest.FeedRead(t, ws), "which was never sent")
	_, found := s.Status(other.Signatures[0])
	assert.Nil(t, found)
}

func TestSocketIsStrict(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	ws := worldtest.FeedDial(t, s.SocketURL(0), nil)
	for text, code := range map[string]int{
		`{}`: -32600, `{"jsonrpc":"1.0","id":1,"method":"slotSubscribe"}`: -32600,
		`{"jsonrpc":"2.0","id":1,"method":"signatureSubscribe","params":["x"]}`: -32602,
		`{"jsonrpc":"2.0","id":1,"method":"signatureSubscribe"}`:                -32602,
		`{"jsonrpc":"2.0","id":1,"method":"signatureSubscribe","params":["1111111111111111111111111111111111111111111111111111111111111111",{"enableReceivedNotification":1}]}`: -32602,
		`{"jsonrpc":"2.0","id":1,"method":"getSlot"}`: -32601,
	} {
		var out struct{ Error struct{ Code int } }
		require.NoError(t, json.Unmarshal([]byte(worldtest.FeedSay(t, ws, text)), &out))
		assert.Equal(t, code, out.Error.Code, text)
	}
	assert.Len(t, s.TakeViolations(), 1)
	port := func(text string) int {
		u, err := url.Parse(text)
		require.NoError(t, err)
		n, err := strconv.Atoi(u.Port())
		require.NoError(t, err)
		return n
	}
	assert.Equal(t, port(s.URL(play.RPC))+1, port(s.SocketURL(0)), "where clients look for it")
}
