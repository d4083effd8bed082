package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/walletfi/walletfi-go/sandbox"
)

const recordLong = `record stands between a program and a real service: it listens on loopback, hands each request
on to URL, and keeps what was asked and answered. When it is interrupted it writes FILE and
holds the sandbox against it: which members of the answers differ, and in which kind of value.

What came in a header for keys or a cookie, and members and parameters that are named as
secrets are, is masked in all of FILE before it is written. Look at it all the same before you
share it. A body over 1 MiB, compressed, in parts or cut off is passed on as it is, but left out
of FILE, which says so. A WebSocket is passed on, and not recorded.

With --check it holds the sandbox against FILE as it is, and calls no one.`

const recordExample = `  walletfi sandbox record --service lending --upstream https://api.example.com lending.json
  walletfi sandbox record --check lending.json`

func newRecord(s streams) *cobra.Command {
	service, upstream, listen, check, asJSON := "", "", "", false, false
	cmd := &cobra.Command{
		Use: "record FILE", Short: "Record a real service, and hold the sandbox against it", Long: recordLong,
		Example: recordExample, Args: oneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			if !check {
				if err := record(cmd, s, sandbox.Service(service), upstream, listen, args[0], asJSON); err != nil {
					return err
				}
			}
			return holdAgainst(s, args[0], asJSON)
		},
	}
	f := cmd.Flags()
	f.StringVar(&service, "service", "", "whose `name` it is, such as lending")
	f.StringVar(&upstream, "upstream", "", "base `URL` of the real service")
	f.StringVar(&listen, "listen", "127.0.0.1:0", "loopback `address` to listen at")
	f.BoolVar(&asJSON, "json", false, "print JSON")
	f.BoolVar(&check, "check", false, "record nothing")
	offer(cmd, "service", services...)
	return cmd
}

// record listens until the context ends, and writes the file.
func record(cmd *cobra.Command, s streams, service sandbox.Service, upstream, listen, file string,
	asJSON bool) error {
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
	defer listener.Close()
	into, err := openPrivate(file)
	if err != nil {
		return err
	}
	defer into.Close()
	keeper := &recorder{service: service, base: to.Path}
	server := &http.Server{Handler: keeper.proxy(to), ReadHeaderTimeout: 30 * time.Second}
	go func() { _ = server.Serve(listener) }()
	defer server.Close()
	form := "WALLETFI_RECORD_URL='http://%s'\n"
	if asJSON {
		form = `{"url": "http://%s"}` + "\n"
	}
	if _, err := fmt.Fprintf(s.out, form, listener.Addr()); err != nil {
		return err
	}
	s.busy.hush()
	<-cmd.Context().Done()
	var text bytes.Buffer
	lines := json.NewEncoder(&text)
	lines.SetEscapeHTML(false)
	lines.SetIndent("", " ")
	if err := lines.Encode(keeper.fixtures()); err != nil {
		return err
	}
	if _, err := into.Write(text.Bytes()); err != nil {
		return err
	}
	return into.Close()
}

// openPrivate opens a file to write, empty and closed to others whatever it was before.
func openPrivate(name string) (*os.File, error) {
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && info.Mode().IsRegular() { // not a device, which is everybody's
		if err = file.Chmod(0o600); err == nil {
			err = file.Truncate(0)
		}
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// proxy hands requests on to a service.
func (r *recorder) proxy(to *url.URL) http.Handler {
	return &httputil.ReverseProxy{
		Transport: r,
		Rewrite: func(p *httputil.ProxyRequest) {
			p.SetURL(to)
			p.Out.Header.Del("Accept-Encoding") // so that the transport unpacks the answer
		},
		ModifyResponse: func(answer *http.Response) error {
			if location, err := answer.Location(); err == nil {
				answer.Header.Set("Location", through(to, location))
			}
			return nil
		},
	}
}

// through is an address as the recorder's client reaches it: of the service itself, by way of the recorder.
func through(to, at *url.URL) string {
	rest, under := strings.CutPrefix(at.EscapedPath(), strings.TrimSuffix(to.EscapedPath(), "/"))
	if origin(to) != origin(at) || !under || rest != "" && rest[0] != '/' {
		return at.String()
	}
	local := url.URL{RawQuery: at.RawQuery, Fragment: at.Fragment}
	local.RawPath = "/" + strings.TrimLeft(rest, "/")
	local.Path, _ = url.PathUnescape(local.RawPath)
	return local.String()
}

// origin is a URL's scheme, host and port.
func origin(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return u.Scheme + "://" + strings.ToLower(u.Hostname()) + ":" + port
}
