package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/walletfi/walletfi-go/webhooks"
)

const listenLong = `listen receives deliveries of the webhook service at a loopback address, verifies each, says
what it holds, and forwards it to your program at --forward, also on loopback. Point a tunnel at it.

A delivery is forwarded with the headers and the bytes of the body as they came: nothing is
signed again, so your program verifies the service's own signature, with the same secret.
Your program's status and its Retry-After go back to the service. What cannot be verified is
answered with 401 and not forwarded. Nothing is remembered: a delivery that comes again is
forwarded again.`

const listenExample = `  WALLETFI_WEBHOOK_SECRET=... walletfi listen --forward http://127.0.0.1:3000/hook
  walletfi listen --listen 127.0.0.1:8090 --secret-file secret --json`

// mostAtOnce bounds the deliveries in memory.
const mostAtOnce = 8

type listen struct {
	verify

	at, forward string
	reader      *webhooks.DeliveryReader
	room        chan struct{}
	mu          sync.Mutex // of the output
}

func newListen(s streams) *cobra.Command {
	l := &listen{verify: verify{streams: s}, room: make(chan struct{}, mostAtOnce)}
	cmd := &cobra.Command{
		Use: "listen", Short: "Verify webhook deliveries and forward them to a local port",
		Long: listenLong, Example: listenExample, Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return l.run(cmd.Context()) },
	}
	f := cmd.Flags()
	l.keys(f)
	f.StringVar(&l.at, "listen", "127.0.0.1:0", "loopback `address` to listen at; port 0 means any free one")
	f.StringVar(&l.forward, "forward", "", "loopback `URL` of your program; without one, deliveries are only shown")
	f.BoolVar(&l.asJSON, "json", false, "print a line of JSON for each delivery")
	return cmd
}

func (l *listen) run(ctx context.Context) (err error) {
	if l.forward != "" {
		if err := plainURL("--forward", l.forward); err != nil {
			return err
		}
		if u, _ := url.Parse(l.forward); !loopback(u.Hostname()) {
			return usage("--forward must be a loopback address, not %s", u.Host)
		}
	}
	if host, _, err := net.SplitHostPort(l.at); err != nil || !loopback(host) {
		return usage("--listen must be a loopback address with a port, not %q", l.at)
	}
	if l.reader, err = l.verify.reader(); err != nil {
		return err
	}
	listener, err := net.Listen("tcp", l.at)
	if err != nil {
		return as(statusNetwork, fmt.Errorf("%w: --listen takes another port", err))
	}
	server := &http.Server{Handler: l, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute}
	defer server.Close()
	form := "listening at http://%s\n"
	if l.asJSON {
		form = `{"url":"http://%s"}` + "\n"
	}
	if _, err := fmt.Fprintf(l.out, form, listener.Addr()); err != nil {
		return err
	}
	l.busy.hush()
	context.AfterFunc(ctx, func() { server.Close() })
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return as(statusNetwork, err)
	}
	return nil
}

// loopback reports whether a host is this machine alone.
func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// received is a line of --json. Members may be added from version to version, and none is
// changed or removed.
type received struct {
	verified
	At        time.Time `json:"at"`
	Refused   string    `json:"refused,omitempty"`
	Forwarded int       `json:"forwarded,omitempty"` // the status of the program
}

// ServeHTTP implements http.Handler.
func (l *listen) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		http.Error(w, "a delivery is posted", http.StatusMethodNotAllowed)
		return
	}
	l.room <- struct{}{}
	defer func() { <-l.room }()
	said := received{At: time.Now().UTC()}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, webhooks.DefaultMaxBody))
	var d *webhooks.Delivery
	if err == nil {
		d, err = l.reader.Read(r.Header, bytes.NewReader(body))
	}
	if err != nil {
		said.Refused = oneLine(err)
		l.say(said)
		http.Error(w, "refused", http.StatusUnauthorized)
		return
	}
	_, _, timestamp := l.reader.Headers()
	said.verified = verifiedOf(d, r.Header.Get(timestamp))
	status := http.StatusOK
	if l.forward != "" {
		if status, err = l.pass(w, r, body); err != nil {
			said.Refused, status = oneLine(err), http.StatusBadGateway
		}
		said.Forwarded = status
	}
	l.say(said)
	w.WriteHeader(status)
}

// hop are headers of a connection, which are not passed on.
var hop = []string{"Connection", "Keep-Alive", "Proxy-Authorization", "Proxy-Connection", "Te", "Trailer",
	"Transfer-Encoding", "Upgrade"}

// pass forwards a delivery as it came, and returns the program's status.
func (l *listen) pass(w http.ResponseWriter, r *http.Request, body []byte) (int, error) {
	request, err := http.NewRequestWithContext(r.Context(), http.MethodPost, l.forward, bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	request.Header = r.Header.Clone()
	for _, name := range hop {
		request.Header.Del(name)
	}
	answer, err := direct.Do(request)
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	if after := answer.Header.Get("Retry-After"); after != "" {
		w.Header().Set("Retry-After", after)
	}
	return answer.StatusCode, nil
}

// say writes a line about a delivery. What came from outside is quoted.
func (l *listen) say(r received) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.asJSON:
		_ = json.NewEncoder(l.out).Encode(r)
	case !r.Valid:
		fmt.Fprintf(l.out, "%s refused: %s\n", timeOf(r.At), r.Refused)
	default:
		fmt.Fprintf(l.out, "%s valid: kind %s, webhook %q, network %q, transactions %d", timeOf(r.At),
			r.Kind, r.Webhook, r.Network, len(r.Transactions))
		if l.forward != "" {
			fmt.Fprintf(l.out, "; forwarded: %d %s", r.Forwarded, r.Refused)
		}
		fmt.Fprintln(l.out)
	}
}
