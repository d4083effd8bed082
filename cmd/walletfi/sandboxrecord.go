package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/walletfi/walletfi-go/sandbox"
)

const recordLong = `record stands between a program and a real service: it listens on loopback, hands each request
on to URL, and keeps what was asked and answered. When it is interrupted it writes FILE and
holds the sandbox against it: which members of the answers differ, and in which kind of value.

What came in a header for keys, and members and parameters of the query that are named as
secrets are, is masked in FILE before it is written. Look at it all the same before you share it.

With --check it holds the sandbox against FILE as it is, and calls no one.`

const recordExample = `  walletfi sandbox record --service lending --upstream https://api.example.com lending.json
  walletfi sandbox record --check lending.json`

func newRecord(s streams) *cobra.Command {
	service, upstream, listen, check := "", "", "", false
	cmd := &cobra.Command{
		Use: "record FILE", Short: "Record a real service, and hold the sandbox against it", Long: recordLong,
		Example: recordExample, Args: oneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			if !check {
				if err := record(cmd, s, sandbox.Service(service), upstream, listen, args[0]); err != nil {
					return err
				}
			}
			return holdAgainst(s, args[0])
		},
	}
	f := cmd.Flags()
	f.StringVar(&service, "service", "", "whose `name` it is, such as lending")
	f.StringVar(&upstream, "upstream", "", "base `URL` of the real service")
	f.StringVar(&listen, "listen", "127.0.0.1:0", "loopback `address` to listen at")
	f.BoolVar(&check, "check", false, "record nothing")
	return cmd
}

// fixture is a request to a real service and its answer, without secrets.
type fixture struct {
	Service sandbox.Service `json:"service"`
	Method  string          `json:"method"`
	Path    string          `json:"path"` // with the query
	Keys    []string        `json:"keys"` // the headers in which a credential came
	Request string          `json:"request,omitzero"`
	Status  int             `json:"status"`
	Answer  string          `json:"answer"`
}

// mostRecorded bounds a body, and the fixtures of a file.
const (
	mostRecorded = 1 << 20
	mostFixtures = 256 << 20
)

// recorder carries requests on and keeps them.
type recorder struct {
	service sandbox.Service
	base    string // path of the upstream
	mu      sync.Mutex
	all     []fixture
}

// RoundTrip implements http.RoundTripper.
func (r *recorder) RoundTrip(request *http.Request) (*http.Response, error) {
	sent, err := readAhead(request)
	if err != nil {
		return nil, err
	}
	request.Header.Del("Accept-Encoding") // so that the transport unpacks the answer
	answer, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(io.LimitReader(answer.Body, mostRecorded))
	if err != nil {
		return nil, err
	}
	answer.Body, answer.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	answer.Header.Set("Content-Length", fmt.Sprint(len(body)))
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all = append(r.all, masked(request, r.service, r.base, sent, answer.StatusCode, body))
	return answer, nil
}

// readAhead returns a request's body, which stays to be sent.
func readAhead(r *http.Request) ([]byte, error) {
	if r.Body == nil {
		return nil, nil
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, mostRecorded))
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return body, err
}

// record listens until the context ends, and writes the file.
func record(cmd *cobra.Command, s streams, service sandbox.Service, upstream, listen, file string) error {
	to, err := url.Parse(upstream)
	if err != nil || to.Host == "" || !slices.Contains(sandbox.Services(), service) {
		return as(statusUsage, fmt.Errorf("--service must be one of %v, and --upstream a URL", sandbox.Services()))
	}
	host, _, err := net.SplitHostPort(listen)
	if ip := net.ParseIP(host); err != nil || ip == nil || !ip.IsLoopback() {
		return as(statusUsage, fmt.Errorf("--listen must be a loopback address, not %s", listen))
	}
	listener, err := net.Listen("tcp", listen)
	if err != nil {
		return as(statusNetwork, err)
	}
	keeper := &recorder{service: service, base: to.Path}
	proxy := &httputil.ReverseProxy{Transport: keeper, Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(to) }}
	server := &http.Server{Handler: proxy, ReadHeaderTimeout: 30 * time.Second}
	go func() { _ = server.Serve(listener) }()
	defer server.Close()
	if _, err := fmt.Fprintf(s.out, "WALLETFI_RECORD_URL='http://%s'\n", listener.Addr()); err != nil {
		return err
	}
	<-cmd.Context().Done()
	keeper.mu.Lock()
	defer keeper.mu.Unlock()
	var text bytes.Buffer
	lines := json.NewEncoder(&text)
	lines.SetEscapeHTML(false)
	lines.SetIndent("", " ")
	if err := lines.Encode(keeper.all); err != nil {
		return err
	}
	return os.WriteFile(file, text.Bytes(), 0o600)
}
