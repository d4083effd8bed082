package program

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/hashicorp/go-retryablehttp"
	"github.com/walletfi/walletfi-go/signer/grant"
)

// teller posts each grant that is asked for to a URL, so that its approvers hear of it.
type teller struct {
	url   string // may hold a secret
	queue chan grant.Grant
	out   io.Writer
	page  string // the origin of the signer's page, empty if it has none
}

// waitingToTell is how many grants wait to be told of while the URL does not answer.
const waitingToTell = 64

// newTeller reads the URL from a file, since other users see the flags of a process.
func newTeller(path string, out io.Writer) (*teller, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	to := strings.TrimSpace(string(text))
	if u, err := url.Parse(to); err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return nil, fmt.Errorf("%s has no URL", path)
	}
	return &teller{url: to, queue: make(chan grant.Grant, waitingToTell), out: out}, nil
}

// asked takes a grant, or leaves it if too many wait: it is in the list of grants all the same.
func (t *teller) asked(g grant.Grant) {
	select {
	case t.queue <- g:
	default:
	}
}

// run posts until ctx ends. Each body has the grant, and its text as members that chats show.
func (t *teller) run(ctx context.Context) {
	client := retryablehttp.NewClient()
	client.Logger, client.RetryMax = nil, 5
	client.HTTPClient.Timeout = 10 * time.Second
	for {
		select {
		case <-ctx.Done():
			return
		case g := <-t.queue:
			if err := t.post(ctx, client, &g); err != nil {
				fmt.Fprintf(t.out, "grant %s: the approvers could not be told: %v\n", g.ID, err)
			}
		}
	}
}

func (t *teller) post(ctx context.Context, client *retryablehttp.Client, g *grant.Grant) error {
	told := map[string]any{"grant": g, "text": g.Text(), "content": g.Text()}
	if t.page != "" {
		told["page"] = t.page + "/grants/" + g.ID
	}
	body, err := json.Marshal(told)
	if err != nil {
		return err
	}
	q, err := retryablehttp.NewRequestWithContext(ctx, http.MethodPost, t.url, body)
	if err != nil {
		return errors.New("the URL is not one")
	}
	q.Header.Set("Content-Type", "application/json")
	resp, err := client.Do(q)
	if err != nil {
		return errors.New("no answer") // the error has the URL
	}
	defer resp.Body.Close()
	if resp.StatusCode/100 != 2 {
		return fmt.Errorf("status %d", resp.StatusCode)
	}
	return nil
}
