package dialect

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

// beside holds the live answers' other members next to an unwrapped value, in turn.
var beside = []string{`"sandbox_beside":{"took":3,"parts":["a",null]},`, ``}

// Say implements kit.Dialect.
func (d *dialect) Say(c *kit.Call, answer *kit.Reply, refusal bool) {
	h, _ := c.Heard.Memo.(*hearing)
	if h == nil {
		h = &hearing{operation: &operation{words: d.words}, d: d}
	}
	succeeds := answer.Status < 300
	if succeeds && !refusal {
		h.fillPage(c, answer)
	}
	raw := answer.Bytes()
	if len(raw) == 0 || !json.Valid(raw) {
		return
	}
	next := follower{}
	documented := raw
	if succeeds && !refusal && h.paging != nil {
		documented, next = h.follow(raw)
	}
	live := h.tell(documented)
	steps := d.file.Failure
	if succeeds {
		steps = h.answer
	}
	if !refusal || !succeeds || d.core.Turn(string(d.spec.Name)+" refusals as they came", 2) == 0 {
		// Some deployments refuse under a status of success, and without its shape.
		put := beside[d.core.Turn(string(d.spec.Name)+" beside", len(beside))]
		if shaped, err := undo(steps, live, []byte(put), false); err == nil {
			live = shaped
		}
	}
	live = next.put(live)
	if succeeds && !refusal {
		d.keep(h, live, raw)
	}
	answer.Raw, answer.Body = live, nil
}

// keep remembers an answer that comes back whole: it, and its data.
func (d *dialect) keep(h *hearing, live, documented []byte) {
	if h.route == nil || h.route.BackAs == "" {
		return
	}
	value, ok := reach(h.answer, live)
	if h.operation.whole {
		value, ok = bytes.TrimSpace(live), true
	}
	if !ok {
		return
	}
	d.served.Keep(value, bytes.TrimSpace(documented))
	inner, err := get(documented, []string{"data"})
	innerLive, errLive := get(value, []string{h.keys.say("data")})
	if err == nil && errLive == nil {
		d.served.Keep(innerLive, inner)
	}
}

// follower says how an answer leads to the next page.
type follower struct {
	at    []string // live; empty if it says nothing
	value []byte
}

func (f follower) put(live []byte) []byte {
	if len(f.at) == 0 {
		return live
	}
	if with, err := put(live, f.at, f.value); err == nil {
		return with
	}
	return live
}

// fillPage answers again where the documentation has an empty page that leads on, which
// a deployment that counts its records cannot have.
func (h *hearing) fillPage(c *kit.Call, answer *kit.Reply) {
	if h.paging == nil || h.paging.documented != "next_token" || h.paging.Form == deployment.PagingCursor {
		return
	}
	for range 3 {
		raw := answer.Bytes()
		token, more := tokenOf(raw)
		if !more || h.count(raw) > 0 {
			return
		}
		query := c.Request.URL.Query()
		query.Set("next_token", token)
		*answer = c.Again(query.Encode())
	}
}

// follow takes the documented mark of the next page out of an answer and says what the
// live one is.
func (h *hearing) follow(raw []byte) (rest []byte, next follower) {
	p, n := h.paging, h.count(raw)
	token, more := "", h.more(raw, n)
	if p.documented == "next_token" {
		if token, more = tokenOf(raw); more {
			raw = remove(raw, tokenAt)
		}
	}
	if p.Form == deployment.PagingCursor {
		at := path(p.Next)
		if !more {
			return raw, lastPage(h.d.core.Turn(string(h.d.spec.Name)+" last pages", 3), at)
		}
		step := n
		if h.unit() == deployment.PagingPage {
			step = 1
		}
		return raw, follower{at, quote(cursor{h.page.filters, h.page.at + step, token}.String())}
	}
	if p.documented != "next_token" {
		return raw, follower{}
	}
	if more {
		to := h.page.at + 1
		if p.Form == deployment.PagingOffset {
			to = h.page.at + n
		}
		h.d.tokens.Put(h.place(to), token)
	}
	return raw, follower{path(p.More), strconv.AppendBool(nil, more)}
}

// lastPage is how a last page says so: not at all, with null, or with an empty text.
func lastPage(form int, at []string) follower {
	switch form {
	case 1:
		return follower{at, []byte("null")}
	case 2:
		return follower{at, []byte(`""`)}
	}
	return follower{}
}

// more reports whether records follow, as far as the documented answer says.
func (h *hearing) more(raw []byte, n int) bool {
	if n == 0 || h.page.size > 0 && n < h.page.size {
		return false
	}
	total, err := get(raw, []string{"total"})
	if err != nil || h.unit() != deployment.PagingOffset {
		return true
	}
	all, err := strconv.Atoi(string(total))
	return err != nil || h.page.at+n < all
}

// count is how many records the answer has.
func (h *hearing) count(raw []byte) int {
	list, err := get(raw, path(h.paging.List))
	if err != nil || !is(list, '[') {
		return 0
	}
	return len(parts(list))
}

// tokenOf is the documented token of the next page.
func tokenOf(raw []byte) (token string, more bool) {
	text, err := get(raw, tokenAt)
	if err != nil || !is(text, '"') {
		return "", false
	}
	token = unquote(text)
	return token, token != ""
}
