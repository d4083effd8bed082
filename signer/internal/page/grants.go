package page

import (
	"errors"
	"io"
	"net/http"
	"strconv"

	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signer/protocol"
)

// ascii writes a text on one line, in characters that look like no others.
func ascii(text string) string {
	quoted := strconv.QuoteToASCII(text)
	return quoted[1 : len(quoted)-1]
}

// list shows the grants that have not expired.
func (p *page) list(w http.ResponseWriter, _ *http.Request) {
	p.render(w, "list", view{Title: "Grants", Grants: p.signer.Grants("")})
}

// show shows one grant: the text that approvers sign, and what they have said.
func (p *page) show(w http.ResponseWriter, r *http.Request) {
	for _, g := range p.signer.Grants("") {
		if g.Grant.ID != r.PathValue("id") {
			continue
		}
		d := p.decision(g.Grant.Text(), "/grants/"+g.Grant.ID)
		d.State, d.Approved, d.Needs = g.State, g.Approved, g.Grant.Needs
		d.Open = g.State == protocol.GrantWaiting || g.State == protocol.GrantApproved
		p.render(w, "grant", view{Title: "Grant", Decision: d})
		return
	}
	refuse(w, http.StatusNotFound, "there is no such grant, or it has expired")
}

// decide hands an assertion to the signer, which verifies it.
func (p *page) decide(w http.ResponseWriter, r *http.Request) {
	body, ok := read(w, r)
	if !ok {
		return
	}
	after, err := p.signer.Decide(r.Context(), protocol.Verdict{ID: r.PathValue("id"), Signature: string(body)})
	if err != nil {
		refuse(w, http.StatusForbidden, err.Error())
		return
	}
	answer(w, map[string]any{"state": after.State, "approved": after.Approved})
}

func (p *page) askPolicy(w http.ResponseWriter, _ *http.Request) {
	p.render(w, "policy", view{Title: "Change the policy"})
}

// showPolicy shows what another policy changes. The assertion over that is shown and not taken in: the
// signer reads it when it begins with that policy.
func (p *page) showPolicy(w http.ResponseWriter, r *http.Request) {
	text, err := uploaded(w, r)
	if large := new(http.MaxBytesError); errors.As(err, &large) {
		refuse(w, http.StatusRequestEntityTooLarge, "the policy is too long")
		return
	}
	if err != nil {
		refuse(w, http.StatusBadRequest, "a form with the policy's file is expected")
		return
	}
	next, err := signer.ParsePolicy(text)
	if err != nil {
		refuse(w, http.StatusUnprocessableEntity, err.Error())
		return
	}
	c := p.signer.Change(next)
	p.render(w, "change", view{Title: "Change the policy", Decision: p.decision(c.Text(), "")})
}

// uploaded reads a file, byte by byte as it is: a field of text would come with other line ends, and thereby
// with another fingerprint.
func uploaded(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	r.Body = http.MaxBytesReader(w, r.Body, maxPolicy)
	parts, err := r.MultipartReader()
	if err != nil {
		return nil, err
	}
	file, err := parts.NextPart()
	if err != nil {
		return nil, err
	}
	return io.ReadAll(file)
}
