<?php
$baseUrl = getenv('BASE_URL') ?: 'http://localhost:3000';

function send(string $method, string $target, string $digest, $body = null, array $headers = []): array
{
    global $baseUrl;
    $timestamp = (string) (int) (microtime(true) * 1000);
    $canonical = implode("\n", [$timestamp, $method, $target, $digest]);
    $request = curl_init($baseUrl . $target);
    curl_setopt_array($request, [
        CURLOPT_CUSTOMREQUEST => $method,
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_HTTPHEADER => [
            'Accept: application/json',
            'X-API-KEY: ' . getenv('API_KEY'),
            'X-TIMESTAMP: ' . $timestamp,
            'X-SIGNATURE: ' . hash_hmac('sha256', $canonical, getenv('SECRET')),
            ...$headers,
        ],
    ]);
    if ($body !== null) {
        curl_setopt($request, CURLOPT_POSTFIELDS, $body);
    }
    return json_decode(curl_exec($request), true, flags: JSON_THROW_ON_ERROR);
}

function sendJson(string $target, array $fields): array
{
    $body = json_encode($fields, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES);
    return send('POST', $target, hash('sha256', $body), $body, ['Content-Type: application/json']);
}

/** Fields are texts or CURLFile objects, in the order they are to be sent. */
function sendForm(string $target, array $fields): array
{
    $manifest = '';
    foreach ($fields as $name => $value) {
        $digest = $value instanceof CURLFile
            ? hash_file('sha256', $value->getFilename())
            : hash('sha256', $value);
        $manifest .= "$name\n$digest\n";
    }
    return send('POST', $target, hash('sha256', $manifest), $fields);
}

echo json_encode(send('GET', '/v1/current-plan', hash('sha256', ''))), "\n";
echo json_encode(sendJson('/v1/generate-utm', [
    'url' => 'https://example.com/',
    'source' => 'newsletter',
    'medium' => 'email',
    'campaign' => 'spring',
    'content' => 'button',
])), "\n";
echo json_encode(sendForm('/v1/add-feedback', [
    'feedback' => 'It points the way',
    'image' => new CURLFile('picture.png', 'image/png', 'picture.png'),
])), "\n";
