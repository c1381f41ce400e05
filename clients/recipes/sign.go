package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

func send(method, target, payload string, body []byte, contentType string) string {
	timestamp := strconv.FormatInt(time.Now().UnixMilli(), 10)
	mac := hmac.New(sha256.New, []byte(os.Getenv("SECRET")))
	mac.Write([]byte(strings.Join([]string{timestamp, method, target, payload}, "\n")))
	base := os.Getenv("BASE_URL")
	if base == "" {
		base = "http://localhost:3000"
	}
	request, err := http.NewRequest(method, base+target, bytes.NewReader(body))
	if err != nil {
		panic(err)
	}
	request.Header.Set("Accept", "application/json")
	request.Header.Set("X-API-KEY", os.Getenv("API_KEY"))
	request.Header.Set("X-TIMESTAMP", timestamp)
	request.Header.Set("X-SIGNATURE", hex.EncodeToString(mac.Sum(nil)))
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	defer response.Body.Close()
	content, _ := io.ReadAll(response.Body)
	return string(content)
}

func sendJSON(target string, fields map[string]any) string {
	body, _ := json.Marshal(fields)
	return send("POST", target, digest(body), body, "application/json")
}

// A part of a form: a text, or a file if it has a file name.
type part struct {
	name, filename string
	data           []byte
}

func sendForm(target string, parts []part) string {
	var body bytes.Buffer
	var manifest strings.Builder
	form := multipart.NewWriter(&body)
	for _, each := range parts {
		create := func() (io.Writer, error) { return form.CreateFormField(each.name) }
		if each.filename != "" {
			create = func() (io.Writer, error) { return form.CreateFormFile(each.name, each.filename) }
		}
		field, err := create()
		if err != nil {
			panic(err)
		}
		field.Write(each.data)
		manifest.WriteString(each.name + "\n" + digest(each.data) + "\n")
	}
	form.Close()
	return send("POST", target, digest([]byte(manifest.String())), body.Bytes(), form.FormDataContentType())
}

func main() {
	fmt.Println(send("GET", "/v1/current-plan", digest(nil), nil, ""))
	fmt.Println(sendJSON("/v1/generate-utm", map[string]any{
		"url": "https://example.com/", "source": "newsletter", "medium": "email",
		"campaign": "spring", "content": "button",
	}))
	picture, err := os.ReadFile("picture.png")
	if err != nil {
		panic(err)
	}
	fmt.Println(sendForm("/v1/add-feedback", []part{
		{name: "feedback", data: []byte("It points the way")},
		{name: "image", filename: "picture.png", data: picture},
	}))
}
