package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/walletfi/walletfi-go/sandbox"
)

const hidden = "***"

// What is named as secrets are: a header, and a member of JSON with its value.
var (
	secretHeader = regexp.MustCompile(`(?i)^(authorization|cookie)$|key|token|secret`)
	secretName   = regexp.MustCompile(`(?i)key$|token$|secret|signature|password|^otp$`)
	secretMember = regexp.MustCompile(
		`(?i)("(?:otp|\w*_?api_?key|(?:access|refresh|id|auth)_?token|\w*secret|password)"\s*:\s*)"(?:[^"\\]|\\.)*"`)
)

// masked makes the fixture of a request and its answer.
func masked(
	r *http.Request, service sandbox.Service, base string, sent []byte, status int, body []byte,
) fixture {
	f := fixture{Service: service, Method: r.Method, Status: status}
	var secrets []string
	for name, values := range r.Header {
		if !secretHeader.MatchString(name) {
			continue
		}
		f.Keys = append(f.Keys, name)
		for _, value := range values {
			_, token, _ := strings.Cut(value, " ")
			secrets = append(secrets, value, token)
		}
	}
	slices.Sort(f.Keys)
	query := r.URL.Query()
	for name, values := range query {
		if secretName.MatchString(name) {
			secrets = append(secrets, values...)
			query[name] = []string{hidden}
		}
	}
	hide := func(text string) string {
		for _, secret := range secrets {
			if secret != "" {
				text = strings.ReplaceAll(text, secret, hidden)
			}
		}
		return secretMember.ReplaceAllString(text, `$1"`+hidden+`"`)
	}
	f.Path = hide(strings.TrimPrefix(r.URL.EscapedPath(), strings.TrimSuffix(base, "/")))
	if len(query) > 0 {
		f.Path += "?" + strings.ReplaceAll(hide(query.Encode()), url.QueryEscape(hidden), hidden)
	}
	f.Request, f.Answer = hide(string(sent)), hide(string(body))
	return f
}

// holdAgainst compares the sandbox's answers with those of a file, line by line.
func holdAgainst(s streams, file string) error {
	raw, err := s.readFile(file, mostFixtures)
	if err != nil {
		return err
	}
	var all []fixture
	if err := json.Unmarshal(raw, &all); err != nil {
		return as(statusMalformed, fmt.Errorf("%s: fixtures are wanted: %w", file, err))
	}
	box, err := sandbox.Start(sandbox.Config{NoLimits: true})
	if err != nil {
		return startError(err)
	}
	defer box.Close()
	differ := 0
	for _, f := range all {
		lines, err := compare(box, f)
		if err != nil {
			return as(statusMalformed, err)
		}
		for _, line := range lines {
			fmt.Fprintln(s.out, f.Service, f.Method, f.Path+":", line)
		}
		differ += min(1, len(lines))
	}
	fmt.Fprintf(s.out, "%d answers recorded, the sandbox differs in %d\n", len(all), differ)
	if differ > 0 {
		return as(statusDiffers, fmt.Errorf("%d of %d answers differ", differ, len(all)))
	}
	return nil
}

// asked is how often the sandbox is asked: it serves undocumented answers in turns.
const asked = 4

// compare lists in what the sandbox's answers differ from a recorded one.
func compare(box *sandbox.Sandbox, f fixture) (lines []string, err error) {
	here, statuses := make([]map[string]string, 0, asked), map[int]bool{}
	for range asked {
		status, body, err := ask(box, f)
		if err != nil {
			return nil, err
		}
		statuses[status] = true
		here = append(here, kindsOf(body))
	}
	if !statuses[f.Status] {
		return []string{fmt.Sprintf("status %d, the sandbox's is %v", f.Status, slices.Sorted(maps.Keys(statuses)))}, nil
	}
	there := kindsOf([]byte(f.Answer))
	seen, always := map[string]string{}, map[string]int{}
	for _, kinds := range here {
		for path, kind := range kinds {
			seen[path] = join(seen[path], kind)
			always[path]++
		}
	}
	for path, kind := range there {
		switch other, ok := seen[path]; {
		case !ok && seen[parent(path)] != "":
			lines = append(lines, path+" ("+kind+") is not in the sandbox's")
		case ok && !meets(kind, other):
			lines = append(lines, path+" is "+kind+", the sandbox's "+other)
		}
	}
	for path, n := range always {
		if n == asked && there[path] == "" && there[parent(path)] != "" {
			lines = append(lines, path+" ("+seen[path]+") is in the sandbox's alone")
		}
	}
	slices.Sort(lines)
	return lines, nil
}

// ask makes a recorded request of the sandbox, with its own keys.
func ask(box *sandbox.Sandbox, f fixture) (status int, body []byte, err error) {
	at, err := url.Parse(box.URL(f.Service) + f.Path)
	if err != nil {
		return 0, nil, err
	}
	request, err := http.NewRequest(f.Method, at.String(), strings.NewReader(f.Request))
	if err != nil {
		return 0, nil, err
	}
	key := box.APIKey(f.Service)
	if f.Service == sandbox.SmartAccount {
		key, _ = box.SmartAccount().SignIn("recorded@example.com")
	}
	for _, name := range f.Keys {
		request.Header.Set(name, key)
		if name == "Authorization" {
			request.Header.Set(name, "Bearer "+key)
		}
	}
	if f.Request != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	answer, err := box.Transport().RoundTrip(request)
	if err != nil {
		return 0, nil, err
	}
	defer answer.Body.Close()
	body, err = io.ReadAll(answer.Body)
	return answer.StatusCode, body, err
}
