package node

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// Socket is a node's WebSocket, with the subscriptions of the table kinds.
type Socket struct {
	*build.Chain
	Feed    *kit.Feed
	Trouble play.NodeSocketTrouble
	node    play.Node
	subs    []*subscription // in the order in which they were made
	last    uint64
	ticking bool
}

// NewSocket makes the WebSocket of a node that behaves as n says.
func NewSocket(c *build.Chain, n play.Node) *Socket {
	s := &Socket{Chain: c, node: n}
	s.Feed = &kit.Feed{AnyText: true, Message: s.message, Gone: func(conn *kit.FeedConn) {
		s.subs = slices.DeleteFunc(s.subs, func(x *subscription) bool { return x.conn == conn })
	}}
	c.Watch(s.landed)
	return s
}

// asking is the state of a call without parameters.
func (s *Socket) asking() *call { return &call{Chain: s.Chain, node: s.node} }

// message answers a client's request.
func (s *Socket) message(conn *kit.FeedConn, text json.RawMessage) {
	if s.node.Silent {
		return
	}
	var begun []*subscription
	reply := replyTo(text, func(q request, out *answer) {
		s.Count(play.Route{Service: play.RPC, Method: "WS", Pattern: q.Method})
		out.fill(func() any {
			made, result := s.call(conn, q)
			if made != nil {
				begun = append(begun, made)
			}
			return result
		})
	})
	if reply != nil {
		conn.PushRaw(reply)
	}
	for _, x := range begun {
		s.begin(x)
	}
}

// call carries a request out. made is a subscription that begins with the answer.
func (s *Socket) call(conn *kit.FeedConn, q request) (made *subscription, result any) {
	c := &call{Chain: s.Chain, node: s.node, params: q.Params}
	name, begins := strings.CutSuffix(q.Method, "Subscribe")
	name, ends := strings.CutSuffix(name, "Unsubscribe")
	switch kind, known := kinds[name]; {
	case !known || begins == ends:
	case begins:
		c.readings(shapeOf(q.Method), kind.least, kind.most)
		if odd := c.odd(); odd != "" {
			conn.Violate(play.Violation{Service: play.RPC, Route: q.Method, Problem: odd})
		}
		made = kind.make(c)
		made.conn, made.kind = conn, name
		return s.subscribe(made)
	default:
		c.readings("u64", 1, 1)
		var number uint64
		c.param(0, true, &number)
		before := len(s.subs)
		s.subs = slices.DeleteFunc(s.subs, func(x *subscription) bool {
			return x.conn == conn && x.number == number
		})
		failIf(len(s.subs) == before, params, "Invalid subscription id.")
		return nil, true
	}
	conn.Violate(play.Violation{Service: play.RPC, Route: q.Method, Problem: "no such method on the WebSocket"})
	panic(fail(noMethod, "Method not found"))
}

// subscribe numbers a subscription: subscriptions to the same have one number, and a
// connection has it once.
func (s *Socket) subscribe(x *subscription) (made *subscription, number uint64) {
	key := string(kit.MustJSON(append([]any{x.kind, x.commitment}, x.to...)))
	x.key, x.number = key, s.last // the first is 0
	for _, y := range s.subs {
		if y.key != key {
			continue
		}
		if x.number = y.number; y.conn == x.conn {
			return nil, y.number
		}
	}
	if x.number == s.last {
		s.last++
	}
	s.subs = append(s.subs, x)
	return x, x.number
}

// begin starts a subscription: from now on there are ticks.
func (s *Socket) begin(x *subscription) {
	x.reached = s.asking().slotAt(x.commitment)
	s.tick()
	if x.kind != "signature" {
		return
	}
	if r := s.Receipt(x.signature); r != nil {
		s.plan(x, r)
	}
}

// landed tells of a transaction that has just landed whom its commitment does not make
// wait.
func (s *Socket) landed(r *ledger.Receipt) {
	for _, x := range slices.Clone(s.subs) {
		switch {
		case x.kind == "signature" && x.signature == r.Signature:
			if x.received {
				x.tell(s.asking().slot(), "receivedSignature")
			}
			s.plan(x, r)
		case x.landed != nil && r.Slot <= x.reached:
			x.tellAll(r.Slot, x.landed(s.asking(), r.Slot, []*ledger.Receipt{r}))
		}
	}
}

// tick tells of each new slot, and of what landed in those that have reached a
// commitment, as long as anyone wants to know.
func (s *Socket) tick() {
	if s.ticking {
		return
	}
	s.ticking = true
	s.At(s.TimeOf(s.BlockFrom(s.CurrentSlot()+1)), kit.Aside(func() {
		s.ticking = false
		blocks := map[uint64][]*ledger.Receipt{}
		for _, x := range slices.Clone(s.subs) {
			until := s.asking().slotAt(x.commitment)
			for x.reached < until {
				x.reached = s.BlockFrom(x.reached + 1)
				s.reach(x, x.reached, blocks)
			}
		}
		if len(s.subs) > 0 {
			s.tick()
		}
	}))
}

// reach tells of a slot that has reached the commitment of a subscription. Of slots
// alone nothing is told to whoever reads more slowly than they come.
func (s *Socket) reach(x *subscription, slot uint64, blocks map[uint64][]*ledger.Receipt) {
	if x.landed != nil {
		if blocks[slot] == nil {
			blocks[slot] = s.Block(slot)
		}
		x.tellAll(slot, x.landed(s.asking(), slot, blocks[slot]))
	}
	if x.slot != nil && !x.conn.Crowded() {
		for _, result := range x.slot(s.asking(), slot) {
			x.push(result)
		}
	}
}

// plan notifies x when the node knows r at x's commitment.
func (s *Socket) plan(x *subscription, r *ledger.Receipt) {
	at := s.TimeOf(s.BlockFrom(r.Slot + s.Lag(x.commitment) + s.node.Lag)).Add(s.Trouble.Late)
	if !at.After(s.Now()) {
		s.notify(x, r)
		return
	}
	s.At(at, kit.Aside(func() { s.notify(x, r) }))
}

// notify reports r and ends the subscription, as nodes do.
func (s *Socket) notify(x *subscription, r *ledger.Receipt) {
	if !slices.Contains(s.subs, x) {
		return
	}
	s.subs = slices.DeleteFunc(s.subs, func(y *subscription) bool { return y == x })
	told := []*subscription{x}
	for _, y := range s.subs {
		if s.Trouble.Foreign && y.conn == x.conn && y.kind == "signature" {
			told = append(told, y)
		}
	}
	if s.Trouble.Lost {
		told = nil
	}
	for _, y := range told {
		for range 1 + s.Trouble.Repeats {
			y.tell(s.asking().slotAt(x.commitment), map[string]any{"err": orNull(r.Err)})
		}
	}
}

// orNull is the error of a transaction, null if it has none.
func orNull(err *ledger.TxError) any {
	if err == nil {
		return nil
	}
	return err
}

// Watching is how many signatures are subscribed to.
func (s *Socket) Watching() (n int) {
	for _, x := range s.subs {
		if x.kind == "signature" {
			n++
		}
	}
	return n
}
