package node

import (
	"encoding/json"
	"slices"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// Socket is a node's WebSocket: signatureSubscribe and slotSubscribe.
type Socket struct {
	*build.Chain
	Feed    *kit.Feed
	Trouble play.NodeSocketTrouble
	node    play.Node
	subs    []*subscription // in the order in which they were made
	last    uint64
	ticking bool
}

// subscription is one of a connection.
type subscription struct {
	conn       *kit.FeedConn
	number     uint64
	signature  solana.Signature // zero for slots
	commitment string
}

// NewSocket makes the WebSocket of a node that behaves as n says.
func NewSocket(c *build.Chain, n play.Node) *Socket {
	s := &Socket{Chain: c, node: n}
	s.Feed = &kit.Feed{Message: s.message, Gone: func(conn *kit.FeedConn) {
		s.subs = slices.DeleteFunc(s.subs, func(x *subscription) bool { return x.conn == conn })
	}}
	c.Watch(func(r *ledger.Receipt) {
		for _, x := range slices.Clone(s.subs) {
			if x.signature == r.Signature {
				s.plan(x, r)
			}
		}
	})
	return s
}

// message answers a client's request.
func (s *Socket) message(conn *kit.FeedConn, text json.RawMessage) {
	if s.node.Silent {
		return
	}
	var q request
	out := answer{Version: "2.0", ID: json.RawMessage("null")}
	if json.Unmarshal(text, &q) != nil || q.Version != "2.0" || q.ID == nil {
		out.Error = fail(invalid, "Invalid request")
		conn.Push(out)
		return
	}
	out.ID = q.ID
	s.Count(play.Route{Service: play.RPC, Method: "WS", Pattern: q.Method})
	var made *subscription
	out.fill(func() (result any) {
		made, result = s.call(conn, q)
		return result
	})
	conn.Push(out)
	if made != nil {
		s.begin(made)
	}
}

// call carries a request out. made is a subscription that begins with the answer.
func (s *Socket) call(conn *kit.FeedConn, q request) (made *subscription, result any) {
	c := &call{s.Chain, s.node, q.Params}
	switch q.Method {
	case "slotSubscribe":
		made = &subscription{conn: conn}
	case "signatureSubscribe":
		made = c.signature()
		made.conn = conn
	case "slotUnsubscribe", "signatureUnsubscribe":
		var number uint64
		c.param(0, true, &number)
		before := len(s.subs)
		s.subs = slices.DeleteFunc(s.subs, func(x *subscription) bool { return x.conn == conn && x.number == number })
		failIf(len(s.subs) == before, params, "Invalid subscription id.")
		return nil, true
	default:
		s.Report(play.Violation{Service: play.RPC, Route: q.Method, Problem: "no such method on the WebSocket"}, conn.Client)
		panic(fail(noMethod, "Method not found"))
	}
	made.number = s.last // the first is 0
	s.last++
	s.subs = append(s.subs, made)
	return made, made.number
}

// signature reads the parameters of signatureSubscribe.
func (c *call) signature() *subscription {
	var text string
	c.param(0, true, &text)
	signature := signatureOf(text)
	config := struct {
		Commitment string `json:"commitment"`
		Received   bool   `json:"enableReceivedNotification"`
	}{Commitment: finalized}
	c.param(1, false, &config)
	known(config.Commitment)
	return &subscription{signature: signature, commitment: config.Commitment}
}

func (s *Socket) begin(x *subscription) {
	switch r := s.Receipt(x.signature); {
	case x.signature.IsZero():
		s.tick()
	case r != nil:
		s.plan(x, r)
	}
}

// plan notifies x when the node knows r at x's commitment.
func (s *Socket) plan(x *subscription, r *ledger.Receipt) {
	at := s.TimeOf(s.BlockFrom(r.Slot + s.Lag(x.commitment) + s.node.Lag)).Add(s.Trouble.Late)
	if !at.After(s.Now()) {
		s.notify(x, r)
		return
	}
	s.At(at, func() { s.notify(x, r) })
}

// notify reports r and ends the subscription, as nodes do.
func (s *Socket) notify(x *subscription, r *ledger.Receipt) {
	if !slices.Contains(s.subs, x) {
		return
	}
	s.subs = slices.DeleteFunc(s.subs, func(y *subscription) bool { return y == x })
	told := []*subscription{x}
	for _, y := range s.subs {
		if s.Trouble.Foreign && y.conn == x.conn && !y.signature.IsZero() {
			told = append(told, y)
		}
	}
	if s.Trouble.Lost {
		told = nil
	}
	value := map[string]any{"err": nil}
	if r.Err != nil {
		value["err"] = r.Err
	}
	for _, y := range told {
		for range 1 + s.Trouble.Repeats {
			y.push("signatureNotification", map[string]any{
				"context": map[string]any{"apiVersion": nodeVersion, "slot": s.newest()}, "value": value,
			})
		}
	}
}

func (x *subscription) push(method string, result any) {
	x.conn.Push(map[string]any{
		"jsonrpc": "2.0",
		"method":  method,
		"params":  map[string]any{"result": result, "subscription": x.number},
	})
}

// newest is the newest slot that the node knows.
func (s *Socket) newest() uint64 { return s.BlockAt(s.CurrentSlot() - s.node.Lag) }

// tick reports each new slot as long as anyone wants to know.
func (s *Socket) tick() {
	if s.ticking {
		return
	}
	s.ticking = true
	s.At(s.TimeOf(s.BlockFrom(s.CurrentSlot()+1)), func() {
		s.ticking = false
		slot, wanted := s.newest(), false
		for _, x := range s.subs {
			if !x.signature.IsZero() {
				continue
			}
			if wanted = true; !x.conn.Crowded() {
				x.push("slotNotification", map[string]uint64{
					"parent": s.BlockAt(slot - 1), "root": s.BlockAt(slot - kit.Finality), "slot": slot,
				})
			}
		}
		if wanted {
			s.tick()
		}
	})
}

// Watching is how many signatures are subscribed to.
func (s *Socket) Watching() (n int) {
	for _, x := range s.subs {
		if !x.signature.IsZero() {
			n++
		}
	}
	return n
}
